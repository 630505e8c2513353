-- table: core.receipt_lines
-- grain: one row is a receipt line of the data date or earlier
-- key: receipt_key, line_key
-- Arrived is good and rejected together; kept is good less returned.
WITH again AS (
    SELECT r.rowid AS row_id
    FROM stg.receipts r
    JOIN core.repeated_lines k ON k.dataset = 'receipts' AND k.document_key = r.receipt_key AND k.line_key = r.line_key
    CROSS JOIN core.settings p
    WHERE r.received <= p.as_of
    QUALIFY row_number() OVER (PARTITION BY r.receipt_key, r.line_key ORDER BY r._ingest, r._sheet, r._row) > 1
)
SELECT
    r.receipt_key,
    r.line_key,
    r.shipment,
    r.shipment_key,
    r.po_key,
    r.po_line_key,
    r.part_number,
    r.part_number_key AS part_key,
    r.site_id_key AS site_key,
    r.place,
    r.received,
    (r.qty_good + coalesce(r.qty_rejected, 0))::DECIMAL(18, 3) AS arrived,
    coalesce(r.qty_rejected, 0)::DECIMAL(18, 3) AS rejected,
    greatest(0, r.qty_good - coalesce(r.qty_returned, 0))::DECIMAL(18, 3) AS kept,
    r._ingest,
    r._row,
    r._sheet
FROM stg.receipts r
ANTI JOIN again a ON a.row_id = r.rowid
CROSS JOIN core.settings p
WHERE r.received <= p.as_of
