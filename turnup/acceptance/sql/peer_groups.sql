-- table: acceptance.peer_groups
-- grain: one row is a figure of a SKU at its largest size, over all its members
-- key: sku_key, figure_no, size_bytes, unit
SELECT
    k.sku_key,
    r.figure_no,
    r.size_bytes,
    r.unit,
    CASE WHEN any_value(r.dimension) = 'time' THEN -1 ELSE 1 END AS better,
    count(*) AS figures,
    count(DISTINCT r.subject_no) AS subjects,
    median(r.value) AS median,
    mad(r.value) AS mad,
    min(r.value) AS lowest,
    max(r.value) AS highest
FROM acceptance.readings r
JOIN core.subject_skus k ON k.subject_no = r.subject_no
WHERE r.is_largest AND r.is_usable AND r.dimension IN ('byte_rate', 'bit_rate', 'time', 'flops', 'rate')
GROUP BY k.sku_key, r.figure_no, r.size_bytes, r.unit
