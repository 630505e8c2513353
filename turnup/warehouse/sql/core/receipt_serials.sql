-- table: core.receipt_serials
-- grain: one row is a serial number on a receipt line
-- key: receipt_key, line_key, serial_key
SELECT
    receipt_key,
    line_key,
    lower(nfc_normalize(trim(serial))) AS serial_key,
    part_number_key AS part_key,
    site_id_key AS site_key,
    place,
    received
FROM (SELECT *, unnest(regexp_split_to_array(serials, '[;,\s]+')) AS serial FROM stg.receipts WHERE serials IS NOT NULL)
WHERE trim(serial) <> ''
QUALIFY row_number() OVER (
    PARTITION BY receipt_key, line_key, lower(nfc_normalize(trim(serial))) ORDER BY _ingest, _sheet, _row
) = 1
