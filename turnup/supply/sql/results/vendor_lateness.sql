-- table: core.vendor_lateness
-- grain: one row is a promise that came due, with the days between the promise and what happened; early ones negative
-- key: source, case_key
-- shipment: lines of one shipment that were scheduled for one day and came on one day are one case. order: an order line
-- received in full, against the last day promised for it.
SELECT
    'shipment' AS source,
    concat_ws('/', h.shipment_key, h.scheduled, h.delivered) AS case_key,
    min(lower(trim(coalesce(h.vendor, l.vendor)))) AS vendor_key,
    (h.delivered - h.scheduled)::INTEGER AS days
FROM stg.shipments h
CROSS JOIN core.settings p
JOIN core.shipment_states t ON t.shipment_key = h.shipment_key AND t.line_key = h.line_key AND NOT t.contradicted
LEFT JOIN core.purchase_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
WHERE h.delivered <= p.as_of AND h.scheduled IS NOT NULL
GROUP BY h.shipment_key, h.scheduled, h.delivered
UNION ALL
SELECT
    'order', concat_ws('/', l.po_key, l.line_key), lower(trim(l.vendor)), (o.last_received - l.promised)::INTEGER
FROM core.purchase_lines l
JOIN core.order_lines o ON o.po_key = l.po_key AND o.line_key = l.line_key
WHERE l.promised IS NOT NULL AND o.last_received IS NOT NULL AND o.complete >= o.ordered AND o.ordered > 0
