-- table: core.line_arrivals
-- grain: one row is a day on which good pieces of a purchase order line arrived
-- key: po_key, line_key, arrived
-- Good pieces that were not returned, at whatever place we named. Where no receipts are delivered at all, the dates of
-- delivered shipment lines stand for them, and basis says so.
WITH receipts AS (
    SELECT po_key, po_line_key AS line_key, received AS arrived, 'receipts' AS basis, kept AS quantity
    FROM core.receipt_lines WHERE po_key IS NOT NULL AND po_line_key IS NOT NULL
),
deliveries AS (
    SELECT h.po_key, h.po_line_key AS line_key, h.delivered AS arrived, 'shipments' AS basis, h.quantity
    FROM core.shipment_lines h
    WHERE h.po_key IS NOT NULL AND h.po_line_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM stg.receipts)
),
days AS (
    SELECT po_key, line_key, arrived, any_value(basis) AS basis, sum(quantity) AS quantity
    FROM (SELECT * FROM receipts UNION ALL SELECT * FROM deliveries)
    GROUP BY po_key, line_key, arrived
)
SELECT
    po_key,
    line_key,
    arrived,
    quantity::DECIMAL(18, 3) AS quantity,
    (sum(quantity) OVER (PARTITION BY po_key, line_key ORDER BY arrived))::DECIMAL(18, 3) AS cumulative,
    basis
FROM days
WHERE quantity > 0
