-- table: core.found_waivers
-- grain: one row is a waiver or a gate decision that breaks the rules of its playbook, or a playbook changed in silence
-- key: code, item
WITH named AS (
    SELECT w.*, w.gate || coalesce('.' || w.criterion, '') AS what FROM core.waivers w
),
waivers AS (
    SELECT 'waiver_not_entitled' AS code, 'error' AS severity, n.*,
        n.id || ' (' || n.what || ') is approved by ' || n.approver || ', who may not waive it; it stands for nothing. '
            || 'May waive: ' || n.may_waive AS message
    FROM named n WHERE EXISTS (
        SELECT 1 FROM core.waiver_covers c WHERE c.id_key = n.id_key AND NOT c.entitled AND NOT c.never)
    UNION ALL
    SELECT 'waiver_not_allowed', 'error', n.*,
        n.id || ' waives ' || n.what || ', which nobody may waive; it stands for nothing'
    FROM named n WHERE n.flaw = 'not waivable'
    UNION ALL
    SELECT 'waiver_too_long', 'warning', n.*,
        n.id || ' (' || n.what || ') is written until ' || n.written_expiry || '; it may last ' || n.longest_days
            || ' days from ' || n.opened || ' and ends on ' || n.expiry
    FROM named n WHERE n.is_too_long
    UNION ALL
    SELECT 'waiver_without_action', 'warning', n.*,
        n.id || ' (' || n.what || ') names no compensating action'
    FROM named n WHERE n.compensating_action IS NULL
    UNION ALL
    SELECT 'waiver_covers_nothing', 'warning', n.*,
        n.id || ' names gate ' || coalesce(n.gate, '(none)') || coalesce(', criterion ' || n.criterion, '')
            || ', which the playbook of ' || coalesce(n.system_id, '(no system)') || ' does not have'
    FROM named n WHERE n.flaw = 'covers nothing'
)
SELECT w.code, w.severity, 'raid' AS dataset, w.system_key, w.id AS subject, w.id_key AS item,
    w._ingest, w._row, w._sheet, w.message
FROM waivers w
UNION ALL
SELECT 'decision_not_entitled', 'error', 'gate_decisions', d.system_key, d.system_id,
    concat_ws('/', d.system_key, d.block_key, d.gate, d.decided::VARCHAR),
    d._ingest, d._row, d._sheet,
    d.outcome || ' of ' || d.gate || ' (block ' || d.block || ') on ' || d.decided || ' is signed by ' || d.approver
        || ', who may not sign it; it does not count. May sign: ' || d.may_sign
FROM core.signed_decisions d WHERE NOT d.entitled
QUALIFY row_number() OVER (
    PARTITION BY d.system_key, d.block_key, d.gate, d.decided ORDER BY d._ingest, d.sheet, d._row) = 1
UNION ALL
SELECT 'playbook_same_version', 'error', 'playbooks', NULL, c.playbook, c.playbook, NULL, NULL, NULL,
    'playbook ' || c.playbook || ' has other criteria than the week before and the same version ' || any_value(c.version)
        || ': ' || array_to_string(list_sort(list(c.gate || '.' || c.criterion))[:5], ', ')
        || CASE WHEN count(*) > 5 THEN ' and ' || (count(*) - 5) || ' more' ELSE '' END
FROM mart.playbook_changes c WHERE c.is_silent GROUP BY c.playbook
