-- table: acceptance.peer_groups
-- grain: one row is a figure of a SKU at its largest size, over all its members
-- key: sku_key, figure_no, size_bytes, unit
WITH population AS (
    SELECT k.sku_key, r.figure_no, r.size_bytes, r.unit, r.dimension, r.subject_no, r.value
    FROM acceptance.readings r
    JOIN core.subject_skus k ON k.subject_no = r.subject_no
    WHERE r.is_largest AND r.is_usable AND r.dimension IN ('byte_rate', 'bit_rate', 'time', 'flops', 'rate')
),
middle AS (
    SELECT
        sku_key, figure_no, size_bytes, unit, any_value(dimension) AS dimension, median(value) AS median,
        min(value) AS lowest, max(value) AS highest, count(*) AS figures
    FROM population GROUP BY sku_key, figure_no, size_bytes, unit
)
SELECT
    m.sku_key, m.figure_no, m.size_bytes, m.unit,
    any_value(CASE WHEN m.dimension = 'time' THEN -1 ELSE 1 END) AS better,
    any_value(m.figures) AS figures,
    any_value(m.median) AS median,
    any_value(m.lowest) AS lowest,
    any_value(m.highest) AS highest,
    median(abs(p.value - m.median)) AS mad,
    count(DISTINCT p.subject_no) AS subjects
FROM middle m
JOIN population p
    ON p.sku_key = m.sku_key AND p.figure_no = m.figure_no AND p.size_bytes = m.size_bytes AND p.unit = m.unit
GROUP BY m.sku_key, m.figure_no, m.size_bytes, m.unit
