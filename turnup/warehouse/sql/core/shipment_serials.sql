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
FROM (
    SELECT h.*, unnest(list_distinct(serial_list(h.serials))) AS serial_key
    FROM core.shipment_states s
    JOIN stg.shipments h
        ON h.shipment_key = s.shipment_key AND h.line_key = s.line_key
        AND h._ingest = s._ingest AND h._row = s._row AND h._sheet IS NOT DISTINCT FROM s._sheet
    WHERE h.serials IS NOT NULL AND coalesce(s.state, '') <> 'cancelled'
) h
