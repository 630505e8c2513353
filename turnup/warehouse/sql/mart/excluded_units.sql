-- table: core.excluded_units
-- grain: one row is a unit that its user sees, but whose earlier evidence is missing, with the first missing stage
-- key: system_key, unit_key
SELECT
    u.system_key,
    u.unit_key,
    u.unit_id,
    any_value(u.quantity) FILTER (u.stage = 'schedulable') AS quantity,
    first(u.stage ORDER BY u.stage_no) FILTER (u.applicable AND NOT u.counts) AS missing,
    first(u.has ORDER BY u.stage_no) FILTER (u.applicable AND NOT u.counts) IS NULL AS no_data
FROM core.unit_stages u
GROUP BY u.system_key, u.unit_key, u.unit_id
HAVING bool_or(u.stage = 'schedulable' AND coalesce(u.has, false)) AND NOT bool_or(u.stage = 'schedulable'
    AND u.reached)
