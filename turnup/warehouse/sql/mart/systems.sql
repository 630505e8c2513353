-- table: mart.systems
-- grain: one row is a system
-- key: system_key
-- Status is the worst of the system's commitment lines; a system without a line in force is not rated (grey).
WITH worst AS (
    SELECT
        system_key,
        first(status ORDER BY status_rank, contract_date, contract, line, phase) AS status,
        first(status_reason ORDER BY status_rank, contract_date, contract, line, phase) AS status_reason
    FROM (
        SELECT *, CASE status WHEN 'red' THEN 1 WHEN 'amber' THEN 2 WHEN 'grey' THEN 3 ELSE 4 END AS status_rank
        FROM mart.commitments
    )
    GROUP BY system_key
),
gate AS (
    SELECT system_key, first(gate ORDER BY gate_no) FILTER (state NOT IN ('passed', 'waived')) AS current_gate
    FROM mart.gates GROUP BY system_key
)
SELECT
    s.system_key,
    s.system_id,
    s.name,
    s.kind,
    s.site_id,
    s.site_name,
    s.region,
    s.facility,
    s.supply_model,
    s.owner,
    s.priority,
    s.unit,
    s.playbook || ' ' || s.playbook_version AS playbook,
    s.claimed_status,
    c.contracted,
    c.due,
    f.reached AS schedulable,
    coalesce(g.current_gate, CASE WHEN s.playbook IS NULL THEN 'no playbook' ELSE 'done' END) AS current_gate,
    coalesce(w.status, 'grey') AS status,
    coalesce(w.status_reason, 'not rated: no commitment line in force') AS status_reason,
    CASE WHEN past.status = coalesce(w.status, 'grey') THEN coalesce(past.weeks_in_status, 0) + 1
        ELSE 1 END AS weeks_in_status,
    c.next_contract_date,
    f.excess,
    s.claimed_stage,
    past.status AS previous_status
FROM core.systems s
CROSS JOIN core.settings p
JOIN core.contracted c ON c.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
LEFT JOIN worst w ON w.system_key = s.system_key
LEFT JOIN gate g ON g.system_key = s.system_key
LEFT JOIN past_systems past ON past.week = p.previous_week AND past.system_key = s.system_key
