-- table: core.signed_decisions
-- grain: one row is a gate decision known at the data date, with the gate of the playbook that it names
-- key: _ingest, sheet, _row
-- entitled: the approver holds a role that may sign this gate; null while the playbook asks for none, or nobody holds one.
WITH decided AS (
    SELECT d.*, coalesce(d._sheet, '') AS sheet, lower(trim(d.gate)) AS gate_name
    FROM stg.gate_decisions d CROSS JOIN core.settings p
    WHERE d.decided <= p.as_of
),
named AS (
    SELECT
        d.*, s.system_key, g.gate AS gate_of_playbook, g.signed_by,
        d.gate_name IN ('handed_over', 'handover', 'handed over', 'handoff', 'hand-off', 'production handoff')
            AS says_handover,
        g.stage
    FROM decided d
    JOIN core.systems s ON s.system_key = d.system_id_key
    LEFT JOIN core.gates g ON g.playbook = s.playbook AND (
        d.gate_name IN (g.gate, lower(g.title))
        OR (g.stage = 'handed_over' AND d.gate_name IN ('handed_over', 'handover', 'handed over', 'handoff',
            'hand-off', 'production handoff')))
    QUALIFY row_number() OVER (
        PARTITION BY d._ingest, d.sheet, d._row ORDER BY g.gate = d.gate_name DESC NULLS LAST, g.gate_no) = 1
)
SELECT
    n.system_key,
    n.system_id,
    n.block_key,
    n.block,
    coalesce(n.gate_of_playbook, n.gate_name) AS gate,
    n.gate_of_playbook IS NOT NULL AS is_known,
    n.says_handover OR coalesce(n.stage = 'handed_over', false) AS is_handover,
    n.decided,
    n.outcome,
    n.approver,
    n.approver_role,
    n.dissent,
    n.decision_id,
    n.document,
    n.actions,
    n.actions_due,
    array_to_string(n.signed_by, ', ') AS may_sign,
    CASE WHEN EXISTS (SELECT 1 FROM core.roles r WHERE list_contains(n.signed_by, r.role))
        THEN EXISTS (SELECT 1 FROM core.roles r WHERE list_contains(n.signed_by, r.role)
            AND r.person_key = person_key(n.approver)) END AS entitled,
    n._ingest,
    n._row,
    n._sheet,
    n.sheet
FROM named n
