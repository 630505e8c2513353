-- table: core.receipt_serials
-- grain: one row is a serial number on a receipt line
-- key: receipt_key, line_key, serial_key
-- What people write where no serial number was captured is none.
SELECT
    receipt_key,
    line_key,
    serial_key,
    receipt || '/' || line AS receipt_line,
    part_number_key AS part_key,
    site_id_key AS site_key,
    place,
    received,
    shipment_key,
    po_key,
    po_line_key,
    coalesce(qty_returned, 0) > 0 AS has_returns,
    _ingest,
    _row,
    _sheet
FROM (
    SELECT *, unnest(list_distinct(serial_list(serials))) AS serial_key FROM stg.receipts
    QUALIFY row_number() OVER (PARTITION BY receipt_key, line_key ORDER BY _ingest, _sheet, _row) = 1
)
