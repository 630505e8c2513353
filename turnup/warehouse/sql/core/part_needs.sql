-- table: core.part_needs
-- grain: one row is a part that a system needs, has on order for it, or has installed
-- key: system_key, part_key
WITH fitted AS (
    SELECT
        system_key,
        part_key,
        sum(needed) FILTER (fitted) AS needed,
        bool_or(fitted) AS fitted,
        bool_and(orderable) AS orderable,
        min(part_number) AS part_number,
        min(description) AS description,
        min(category) AS category
    FROM core.bom_lines
    GROUP BY ALL
),
ordered AS (
    SELECT system_key, part_key, min(part_number) AS part_number FROM core.allocations GROUP BY ALL
)
SELECT
    coalesce(f.system_key, o.system_key) AS system_key,
    coalesce(f.part_key, o.part_key) AS part_key,
    coalesce(f.part_number, o.part_number) AS part_number,
    f.description,
    f.category,
    coalesce(f.needed, 0)::DECIMAL(18, 3) AS needed,
    coalesce(f.fitted, true) AS fitted,
    f.part_key IS NOT NULL AS in_bom,
    coalesce(f.orderable, true) AS orderable,
    s.site_key,
    s.netting_order
FROM fitted f
FULL JOIN ordered o ON o.system_key = f.system_key AND o.part_key = f.part_key
JOIN core.systems s ON s.system_key = coalesce(f.system_key, o.system_key)
