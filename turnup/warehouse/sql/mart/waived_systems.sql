-- table: core.waived_systems
-- grain: one row is a system with a criterion, or a unit, that a waiver carries
-- key: system_key
-- quantity: schedulable capacity of units that rest on a waiver, each once.
WITH used AS (
    SELECT system_key, waiver_id FROM mart.criteria WHERE state = 'waived'
    UNION
    SELECT system_key, waiver_id FROM core.unit_stages WHERE waiver_id IS NOT NULL
),
carried AS (
    SELECT system_key, sum(quantity) AS quantity
    FROM (SELECT DISTINCT system_key, unit_key, quantity FROM core.waived_units) GROUP BY system_key
)
SELECT
    u.system_key,
    min(w.expiry) AS earliest_expiry,
    string_agg(DISTINCT u.waiver_id, ', ' ORDER BY u.waiver_id) AS waiver_ids,
    coalesce(any_value(c.quantity), 0)::DECIMAL(18, 3) AS quantity
FROM used u
JOIN core.waivers w ON w.id = u.waiver_id AND w.system_key = u.system_key
LEFT JOIN carried c ON c.system_key = u.system_key
GROUP BY u.system_key
