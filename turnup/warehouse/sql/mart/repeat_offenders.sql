-- table: mart.repeat_offenders
-- grain: one row is a unit with two or more faults in the last 90 days
-- key: system_id, unit_key
SELECT
    y.system_id, u.unit_key, u.unit_id, count(*) AS faults,
    string_agg(DISTINCT f.kind, ', ' ORDER BY f.kind) AS kinds, max(f.opened) AS last_opened
FROM core.unit_failures f
CROSS JOIN core.settings p
JOIN core.units u ON u.system_key = f.system_key AND u.unit_key = f.unit_key
JOIN core.systems y ON y.system_key = f.system_key
WHERE f.opened > p.as_of - 90
GROUP BY ALL
HAVING count(*) >= 2
