-- table: core.line_receipts
-- grain: one row is a purchase order line with the sum of all its receipts, however many shipments brought them
-- key: po_key, line_key
-- Received is what arrived; accepted, rejected and returned are parts of its fate; kept is accepted less returned.
WITH again AS (
    SELECT r.rowid AS row_id
    FROM stg.receipts r
    JOIN core.repeated_lines k ON k.dataset = 'receipts' AND k.document_key = r.receipt_key AND k.line_key = r.line_key
    CROSS JOIN core.settings p
    WHERE r.received <= p.as_of AND r.po_key IS NOT NULL AND r.po_line_key IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY r.receipt_key, r.line_key ORDER BY r._ingest, r._sheet, r._row) > 1
),
receipts AS (
    SELECT r.*
    FROM stg.receipts r
    ANTI JOIN again a ON a.row_id = r.rowid
    CROSS JOIN core.settings p
    WHERE r.received <= p.as_of AND r.po_key IS NOT NULL AND r.po_line_key IS NOT NULL
)
SELECT
    po_key,
    po_line_key AS line_key,
    count(*)::INTEGER AS receipts,
    count(DISTINCT shipment_key)::INTEGER AS received_shipments,
    sum(qty_good + coalesce(qty_rejected, 0))::DECIMAL(18, 3) AS received,
    sum(qty_good)::DECIMAL(18, 3) AS accepted,
    sum(coalesce(qty_rejected, 0))::DECIMAL(18, 3) AS rejected,
    sum(coalesce(qty_returned, 0))::DECIMAL(18, 3) AS returned,
    greatest(0, sum(qty_good) - sum(coalesce(qty_returned, 0)))::DECIMAL(18, 3) AS kept,
    sum(qty_good) FILTER (place = 'site')::DECIMAL(18, 3) AS accepted_at_site,
    max(received) AS last_received
FROM receipts
GROUP BY ALL
