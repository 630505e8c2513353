-- table: core.bom_lines
-- grain: one row is a line of a system's bill of material, with its quantity for the whole system
-- key: system_key, line_key
-- per_parent quantities multiply down the parent lines, through any number of levels; other quantities stand as they
-- are, so that what is extended is never multiplied again. A line is fitted when it and its parents are and it asks for
-- something. A component without a block of its own is for the block of its parent. A line that contains itself over its
-- parents keeps its own quantity and is told (looped). A line number that two sources give the same system is two lines,
-- the second of them "1 #2", with more marks where a line is called that already: the parent is looked for in the same
-- file first.
WITH RECURSIVE namesakes AS (
    SELECT
        b.rowid AS row_id,
        row_number() OVER (PARTITION BY b.system_id_key, b.line_key ORDER BY b._ingest, b._sheet, b._row) AS namesake_no
    FROM stg.bom b
    JOIN core.repeated_lines k ON k.dataset = 'bom' AND k.document_key = b.system_id_key AND k.line_key = b.line_key
),
called_alike AS (
    SELECT
        b.system_id_key, regexp_replace(b.line_key, ' #+[0-9]+$', '') AS line_key,
        max(length(regexp_extract(b.line_key, ' (#+)[0-9]+$', 1))) AS marks
    FROM stg.bom b
    WHERE contains(b.line_key, ' #') AND b.system_id_key IN (SELECT document_key FROM core.repeated_lines)
    GROUP BY ALL
),
named AS (
    SELECT
        b.*,
        lower(nfc_normalize(trim(b.parent_line))) AS given_parent_key,
        coalesce(b.quantity_basis, 'per_system') AS basis,
        coalesce(b.fitted, true) AND b.quantity <> 0 AS own_fitted,
        n.namesake_no,
        b.line_key || CASE
            WHEN n.namesake_no > 1 THEN ' ' || repeat('#', coalesce(a.marks, 0)::BIGINT + 1) || n.namesake_no
            ELSE ''
        END AS own_key
    FROM stg.bom b
    LEFT JOIN namesakes n ON n.row_id = b.rowid
    LEFT JOIN called_alike a ON a.system_id_key = b.system_id_key AND a.line_key = b.line_key AND n.namesake_no > 1
),
same_file AS (
    SELECT l.system_id_key, l.own_key, min(p.own_key) AS parent_key
    FROM named l
    JOIN named p ON p.system_id_key = l.system_id_key AND p.line_key = l.given_parent_key AND p._ingest = l._ingest
    WHERE p.namesake_no IS NOT NULL
    GROUP BY l.system_id_key, l.own_key
),
lines AS (
    SELECT l.*, coalesce(s.parent_key, p.line_key) AS parent_key
    FROM named l
    LEFT JOIN (SELECT DISTINCT system_id_key, line_key FROM stg.bom) p
        ON p.system_id_key = l.system_id_key AND p.line_key = l.given_parent_key
    LEFT JOIN same_file s ON s.system_id_key = l.system_id_key AND s.own_key = l.own_key
),
tree AS (
    SELECT system_id_key, own_key, block_key, quantity::DECIMAL(18, 3) AS needed, own_fitted AS fitted, 1 AS depth
    FROM lines WHERE parent_key IS NULL
    UNION ALL
    SELECT
        l.system_id_key,
        l.own_key,
        coalesce(l.block_key, t.block_key),
        CASE l.basis WHEN 'per_parent' THEN (l.quantity * t.needed)::DECIMAL(18, 3) ELSE l.quantity END,
        l.own_fitted AND t.fitted,
        t.depth + 1
    FROM tree t
    JOIN lines l ON l.system_id_key = t.system_id_key AND l.parent_key = t.own_key
)
SELECT
    l.system_id_key AS system_key,
    l.own_key AS line_key,
    l.line,
    coalesce(t.block_key, l.block_key) AS block_key,
    l.parent_key AS parent_line_key,
    l.part_number_key AS part_key,
    l.part_number,
    l.manufacturer,
    l.description,
    l.category,
    l.bill_section,
    l.alternates,
    coalesce(t.needed, l.quantity) AS needed,
    coalesce(t.fitted, l.own_fitted) AS fitted,
    coalesce(l.orderable, true) AND NOT coalesce(
        contains(lower(l.description), 'replace with vendor sku')
        AND (contains(lower(l.description), 'placeholder') OR contains(lower(l.description), 'generic')),
        false
    ) AS orderable,
    l.capacity_per_unit::DECIMAL(18, 3) AS capacity_per_unit,
    l.quantity,
    l.basis,
    l.extended_quantity,
    l.revision,
    l.revision_status,
    l.lifecycle,
    l.unit_price,
    l.currency,
    t.depth,
    t.own_key IS NULL AS looped,
    l._ingest,
    l._row,
    l._sheet
FROM lines l
LEFT JOIN tree t ON t.system_id_key = l.system_id_key AND t.own_key = l.own_key
