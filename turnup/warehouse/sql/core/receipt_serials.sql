-- table: core.receipt_serials
-- grain: one row is a serial number on a receipt line
-- key: receipt_key, line_key, serial_key
-- What people write where no serial number was captured is none.
WITH again AS (
    SELECT r.rowid AS row_id
    FROM stg.receipts r
    JOIN core.repeated_lines k ON k.dataset = 'receipts' AND k.document_key = r.receipt_key AND k.line_key = r.line_key
    QUALIFY row_number() OVER (PARTITION BY r.receipt_key, r.line_key ORDER BY r._ingest, r._sheet, r._row) > 1
)
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
    SELECT *, unnest(list_distinct(serial_list(serials))) AS serial_key
    FROM stg.receipts r ANTI JOIN again a ON a.row_id = r.rowid
    WHERE serials IS NOT NULL
)
