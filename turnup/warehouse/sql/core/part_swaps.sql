-- table: core.part_swaps
-- grain: one row is a part that was shipped or received against an order line of another part
-- key: po_key, line_key, part_key
-- An alternate that a bill of material lists for the ordered part is approved.
WITH found AS (
    SELECT po_key, po_line_key AS line_key, part_key, part_number, 'shipments' AS dataset, quantity, _ingest, _row, _sheet
    FROM core.sent_lines
    UNION ALL
    SELECT po_key, po_line_key, part_key, part_number, 'receipts', arrived, _ingest, _row, _sheet
    FROM core.receipt_lines
),
approved AS (
    SELECT DISTINCT part_key, lower(nfc_normalize(trim(alternate))) AS alternate_key
    FROM (SELECT part_key, unnest(regexp_split_to_array(alternates, '[;,|]')) AS alternate FROM core.bom_lines)
)
SELECT
    f.po_key,
    f.line_key,
    f.part_key,
    min(l.po) AS po,
    min(l.line) AS line,
    min(l.part_number) AS ordered_part,
    min(f.part_number) AS part_number,
    min(l.vendor) AS vendor,
    coalesce(sum(f.quantity) FILTER (f.dataset = 'shipments'), 0)::DECIMAL(18, 3) AS shipped,
    coalesce(sum(f.quantity) FILTER (f.dataset = 'receipts'), 0)::DECIMAL(18, 3) AS received,
    bool_or(a.alternate_key IS NOT NULL) AS is_approved,
    max(f.dataset) AS dataset,
    arg_min_null(f._ingest, (f.dataset, f._ingest, f._row)) AS _ingest,
    arg_min_null(f._row, (f.dataset, f._ingest, f._row)) AS _row,
    arg_min_null(f._sheet, (f.dataset, f._ingest, f._row)) AS _sheet
FROM found f
JOIN core.order_lines l ON l.po_key = f.po_key AND l.line_key = f.line_key
LEFT JOIN approved a ON a.part_key = l.part_key AND a.alternate_key = f.part_key
WHERE f.part_key <> l.part_key
GROUP BY f.po_key, f.line_key, f.part_key
