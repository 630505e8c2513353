-- table: core.shipment_serials
-- grain: one row is a serial number announced on a shipment line that was not cancelled
-- key: shipment_key, line_key, serial_key
SELECT
    h.shipment_key,
    h.line_key,
    h.serial_key,
    h.shipment,
    h.po_key,
    h.po_line_key,
    h.ship_to_site_key AS site_key,
    h._ingest,
    h._row,
    h._sheet
FROM (SELECT *, unnest(serial_list(serials)) AS serial_key FROM stg.shipments WHERE serials IS NOT NULL) h
JOIN core.shipment_states s ON s.shipment_key = h.shipment_key AND s.line_key = h.line_key AND coalesce(s.state, '') <> 'cancelled'
QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key, h.serial_key ORDER BY h._ingest, h._sheet, h._row)
    = 1
