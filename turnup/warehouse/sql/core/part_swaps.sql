-- table: core.part_swaps
-- grain: one row is a part that was shipped or received against an order line of another part
-- key: po_key, line_key, part_key
-- An alternate that a bill of material lists for the ordered part is approved.
WITH found AS (
    SELECT h.po_key, h.po_line_key AS line_key, h.part_number_key AS part_key, h.part_number, 'shipments' AS dataset,
        h.quantity, h._ingest, h._row, h._sheet
    FROM stg.shipments h
    JOIN core.shipment_states s ON s.shipment_key = h.shipment_key AND s.line_key = h.line_key
        AND coalesce(s.state, s.by_dates) IN ('shipped', 'in_transit', 'customs', 'exception', 'delivered')
    QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key ORDER BY h._ingest, h._sheet, h._row) = 1
    UNION ALL
    SELECT r.po_key, r.po_line_key, r.part_number_key, r.part_number, 'receipts', r.qty_good + coalesce(r.qty_rejected,
        0), r._ingest, r._row, r._sheet
    FROM stg.receipts r CROSS JOIN core.settings p
    WHERE r.received <= p.as_of
    QUALIFY row_number() OVER (PARTITION BY r.receipt_key, r.line_key ORDER BY r._ingest, r._sheet, r._row) = 1
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
JOIN (
    SELECT po_key, line_key, po, line, part_number, part_number_key, vendor FROM stg.purchase_orders
    QUALIFY row_number() OVER (PARTITION BY po_key, line_key ORDER BY _ingest, _sheet, _row) = 1
) l ON l.po_key = f.po_key AND l.line_key = f.line_key
LEFT JOIN approved a ON a.part_key = l.part_number_key AND a.alternate_key = f.part_key
WHERE f.part_key <> l.part_number_key
GROUP BY f.po_key, f.line_key, f.part_key
