-- table: core.bom_lines
-- grain: one row is a line of a system's bill of material, with its quantity for the whole system
-- key: system_key, line_key
-- per_parent quantities multiply down the parent lines (at most 12 levels); a line is fitted when it and its parents
-- are.
WITH RECURSIVE lines AS (
    SELECT b.*, lower(nfc_normalize(trim(b.parent_line))) AS parent_line_key, coalesce(b.quantity_basis,
        'per_system') AS basis, coalesce(b.fitted, true) AS own_fitted
    FROM stg.bom b
    QUALIFY row_number() OVER (PARTITION BY system_id_key, line_key ORDER BY _ingest, _sheet, _row) = 1
),
tree AS (
    SELECT l.system_id_key, l.line_key, l.quantity::DECIMAL(18, 3) AS needed, l.own_fitted AS fitted, 1 AS depth
    FROM lines l
    LEFT JOIN lines p ON p.system_id_key = l.system_id_key AND p.line_key = l.parent_line_key
    WHERE p.line_key IS NULL
    UNION ALL
    SELECT
        l.system_id_key,
        l.line_key,
        CASE l.basis WHEN 'per_parent' THEN (l.quantity * t.needed)::DECIMAL(18, 3) ELSE l.quantity END,
        l.own_fitted AND t.fitted,
        t.depth + 1
    FROM tree t
    JOIN lines l ON l.system_id_key = t.system_id_key AND l.parent_line_key = t.line_key AND l.line_key <> t.line_key
    WHERE t.depth < 12
)
SELECT
    l.system_id_key AS system_key,
    l.line_key,
    l.line,
    l.block_key,
    l.parent_line_key,
    l.part_number_key AS part_key,
    l.part_number,
    l.manufacturer,
    l.description,
    l.category,
    l.alternates,
    t.needed,
    t.fitted,
    coalesce(l.orderable, true) AND NOT coalesce(
        contains(lower(l.description), 'replace with vendor sku')
        AND (contains(lower(l.description), 'placeholder') OR contains(lower(l.description), 'generic')),
        false
    ) AS orderable,
    l.capacity_per_unit::DECIMAL(18, 3) AS capacity_per_unit,
    l._ingest,
    l._row,
    l._sheet
FROM lines l
JOIN tree t ON t.system_id_key = l.system_id_key AND t.line_key = l.line_key
