-- table: core.bill_items
-- grain: one row is a line of a bill of material as the netting takes it
-- key: item_no
-- line_no: the order of lines by name, 9 before 10. made: an assembly that nobody sells or stocks; its components are
-- what is needed. used_with: of a part (with its alternates) that no register tracks in the system, the pieces are in
-- the units that are racked, and optics and cables in those that are cabled.
WITH parents AS (
    SELECT DISTINCT system_key, parent_line_key AS line_key FROM core.bom_lines
    WHERE fitted AND NOT looped AND parent_line_key IS NOT NULL
),
assets AS (
    SELECT DISTINCT system_id_key AS system_key, part_number_key AS part_key FROM core.assets
),
by_alternates AS (
    SELECT
        a.system_key, a.line_key,
        bool_or(p.part_key IS NOT NULL) AS sourced, bool_or(t.part_key IS NOT NULL) AS tracked
    FROM core.bom_alternates a
    LEFT JOIN core.sourced_parts p ON p.part_key = a.part_key
    LEFT JOIN assets t ON t.system_key = a.system_key AND t.part_key = a.part_key
    GROUP BY ALL
),
blocks AS (SELECT system_key, min(system_no) AS system_no FROM core.block_needs GROUP BY ALL),
lines AS (
    SELECT
        l.*,
        b.system_no,
        row_number() OVER (PARTITION BY l.system_key ORDER BY length(l.line_key), l.line_key) AS line_no
    FROM core.bom_lines l JOIN blocks b ON b.system_key = l.system_key
)
SELECT
    l.system_no * 1_000_000 + l.line_no AS item_no,
    l.system_key,
    l.line_key,
    l.line_no,
    l.part_key,
    n.part_no,
    o.block_key AS own_block,
    l.needed,
    l.fitted,
    h.line_key IS NOT NULL AND l.fitted AND NOT l.looped AND p.part_key IS NULL AND NOT coalesce(a.sourced, false) AS made,
    CASE
        WHEN NOT l.fitted OR t.part_key IS NOT NULL OR a.tracked THEN NULL
        WHEN l.category IN ('optic', 'cable') THEN 'cabled'
        ELSE 'racked'
    END AS used_with,
    l.capacity_per_unit,
    l.category
FROM lines l
JOIN core.netted_parts n ON n.part_key = l.part_key
LEFT JOIN core.block_needs o ON o.system_key = l.system_key AND o.block_key = l.block_key
LEFT JOIN parents h ON h.system_key = l.system_key AND h.line_key = l.line_key
LEFT JOIN core.sourced_parts p ON p.part_key = l.part_key
LEFT JOIN assets t ON t.system_key = l.system_key AND t.part_key = l.part_key
LEFT JOIN by_alternates a ON a.system_key = l.system_key AND a.line_key = l.line_key
