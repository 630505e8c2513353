-- table: core.found_goods
-- grain: one row is a fault in bill of material, orders or deliveries
-- key: code, item
-- late_delivery: one row a line, or one a vendor when the vendor has more late lines than the programme wants listed.
WITH received AS (
    SELECT po_key, po_line_key, sum(quantity) AS quantity, min(_ingest) AS _ingest, arg_min_null(_row, (_ingest,
        _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.goods WHERE event = 'received' AND po_key IS NOT NULL GROUP BY ALL
),
late AS (
    SELECT l.*, count(*) OVER (PARTITION BY l.vendor) AS of_vendor, h._ingest AS ingest
    FROM core.shipment_lines l
    JOIN (SELECT shipment_key, line_key, min(_ingest) AS _ingest FROM stg.shipments GROUP BY ALL) h
        ON h.shipment_key = l.shipment_key AND h.line_key = l.line_key
    WHERE l.days_late > 0
)
SELECT
    'placeholder_part' AS code, 'warning' AS severity, 'bom' AS dataset, b.system_key,
    b.part_number AS subject, b.system_key || '/' || b.line_key AS item, b._ingest, b._row, b._sheet,
    'line ' || b.line || ': ' || b.part_number || ' is a placeholder and cannot be ordered (' || figure(b.needed)
        || ' needed)' AS message
FROM core.bom_lines b WHERE NOT b.orderable
UNION ALL
SELECT
    'over_receipt', 'warning', 'receipts',
    (SELECT min(a.system_key) FROM core.allocations a WHERE a.po_key = l.po_key AND a.line_key = l.line_key
        HAVING count(*) = 1),
    l.po || '/' || l.line, l.po_key || '/' || l.line_key, r._ingest, r._row, r._sheet,
    'PO ' || l.po || ' line ' || l.line || ': received ' || figure(r.quantity) || ' of ' || figure(l.quantity)
        || ' ordered'
FROM received r JOIN core.purchase_lines l ON l.po_key = r.po_key AND l.line_key = r.po_line_key
WHERE r.quantity > l.quantity
UNION ALL
SELECT
    'late_delivery', 'warning', 'shipments', NULL, l.shipment, l.shipment_key || '/' || l.line_key, l.ingest, l._row,
        l._sheet,
    l.shipment || ' line ' || l.line || ' (' || l.vendor || '): delivered ' || l.delivered || ', ' || l.days_late
        || ' days after ' || l.scheduled
FROM late l CROSS JOIN core.settings p WHERE l.of_vendor <= p.late_listed
UNION ALL
SELECT
    'late_delivery', 'warning', 'shipments', NULL, l.vendor, 'vendor ' || l.vendor, NULL, NULL, NULL,
    l.vendor || ': ' || count(*) || ' lines delivered late, at most ' || max(l.days_late) || ' days'
FROM late l CROSS JOIN core.settings p WHERE l.of_vendor > p.late_listed GROUP BY l.vendor
