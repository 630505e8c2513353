-- table: mart.stock
-- grain: one row is a part of a system (or of none) held for one purpose
-- key: system_key, part_key, purpose
-- Only production bears capacity; what spares, loans and evaluation pieces would bear stands beside it and counts nowhere.
-- Every piece is in one state. Parts that bear no capacity are listed when they are not for production.
WITH bearing AS (SELECT part_key, max(capacity_per_unit) AS capacity_per_unit FROM core.capacity_parts GROUP BY part_key),
pieces AS (
    SELECT
        a.*, coalesce(a.purpose, 'production') AS used_for, c.capacity_per_unit AS of_system, b.capacity_per_unit AS of_any
    FROM core.assets a
    LEFT JOIN core.capacity_parts c ON c.system_key = a.system_id_key AND c.part_key = a.part_number_key
    LEFT JOIN bearing b ON b.part_key = a.part_number_key
    WHERE a.located AND a.status <> 'decommissioning'
        AND (b.part_key IS NOT NULL OR coalesce(a.purpose, 'production') <> 'production')
)
SELECT
    coalesce(x.system_id_key, '') AS system_key,
    any_value(s.system_id) AS system_id,
    any_value(s.unit) AS unit,
    x.part_number_key AS part_key,
    min(x.part_number) AS part_number,
    x.used_for AS purpose,
    count(*)::INTEGER AS pieces,
    count(*) FILTER (x.status = 'planned')::INTEGER AS planned,
    count(*) FILTER (x.status = 'inventory')::INTEGER AS in_stock,
    count(*) FILTER (x.status = 'staged')::INTEGER AS staged,
    count(*) FILTER (x.status = 'active')::INTEGER AS active,
    count(*) FILTER (x.status IN ('failed', 'offline'))::INTEGER AS down,
    coalesce(sum(x.of_system) FILTER (x.used_for = 'production' AND x.status <> 'planned'), 0)::DECIMAL(18, 3)
        AS capacity,
    coalesce(sum(coalesce(x.of_system, x.of_any)) FILTER (x.used_for <> 'production' AND x.status <> 'planned'), 0)
        ::DECIMAL(18, 3) AS capacity_aside,
    count(*) FILTER (x.used_for = 'loan' AND x.return_due < p.as_of)::INTEGER AS overdue,
    count(*) FILTER (x.used_for = 'loan' AND x.return_due IS NULL)::INTEGER AS without_return
FROM pieces x
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = x.system_id_key
GROUP BY coalesce(x.system_id_key, ''), x.part_number_key, x.used_for
