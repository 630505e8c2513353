-- table: core.sent_lines
-- grain: one row is a shipment line that left its vendor, with the order line or the part that it is of
-- key: shipment_key, line_key
SELECT
    h.shipment_key,
    h.line_key,
    h.shipment,
    h.line,
    CASE WHEN h.po_key IS NOT NULL AND h.po_line_key IS NOT NULL THEN h.po_key || '/' || h.po_line_key
        ELSE 'part ' || coalesce(h.part_number_key, '') END AS item_key,
    h.po_key,
    h.po_line_key,
    coalesce(h.part_number, l.part_number, h.description) AS part_number,
    coalesce(h.part_number_key, l.part_key) AS part_key,
    coalesce(h.vendor, l.vendor) AS vendor,
    h.carrier,
    h.mode,
    h.origin,
    h.ship_to_site,
    h.ship_to_site_key AS site_key,
    h.destination,
    h.quantity::DECIMAL(18, 3) AS quantity,
    h.shipped,
    h.delivered,
    coalesce(s.state, s.by_dates) AS state,
    h._ingest,
    h._row,
    h._sheet
FROM core.shipment_states s
CROSS JOIN core.settings p
JOIN stg.shipments h
    ON h.shipment_key = s.shipment_key AND h.line_key = s.line_key
    AND h._ingest = s._ingest AND h._row = s._row AND h._sheet IS NOT DISTINCT FROM s._sheet
LEFT JOIN core.order_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
WHERE coalesce(s.state, s.by_dates) IN ('shipped', 'in_transit', 'customs', 'exception', 'delivered')
    AND coalesce(h.shipped, h.delivered, p.as_of) <= p.as_of
