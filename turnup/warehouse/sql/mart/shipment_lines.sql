-- table: core.shipment_lines
-- grain: one row is a shipment line with its vendor and its lateness against the scheduled date
-- key: shipment_key, line_key
SELECT
    h.shipment_key,
    h.line_key,
    h.shipment,
    h.line,
    coalesce(h.part_number, l.part_number, h.description) AS part_number,
    coalesce(h.vendor, l.vendor, '(unknown)') AS vendor,
    coalesce(h.ship_to_site, h.destination) AS ship_to_site,
    h.scheduled,
    h.delivered,
    (h.delivered - h.scheduled)::INTEGER AS days_late,
    h.quantity,
    i.file,
    h._sheet,
    h._row
FROM stg.shipments h
CROSS JOIN core.settings p
LEFT JOIN core.purchase_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = h._ingest
WHERE h.delivered <= p.as_of
QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key ORDER BY h._ingest, h._sheet, h._row) = 1
