-- table: core.need_paths
-- grain: one row is a system and another that waits for it, itself or by way of others
-- key: root_key, system_key
-- gate_no: the last gate of the root that is waited for; what is open at a later gate holds nobody.
WITH RECURSIVE waits AS (
    SELECT DISTINCT system_key, asked_no, needed_key, gate_no FROM core.open_needs WHERE waiver_id IS NULL
),
paths AS (
    SELECT needed_key AS root_key, gate_no, system_key, asked_no FROM waits
    UNION
    SELECT p.root_key, p.gate_no, w.system_key, w.asked_no
    FROM paths p JOIN waits w ON w.needed_key = p.system_key AND w.gate_no >= p.asked_no
)
SELECT root_key, system_key, max(coalesce(gate_no, 1000000)) AS gate_no
FROM paths WHERE system_key <> root_key GROUP BY root_key, system_key
