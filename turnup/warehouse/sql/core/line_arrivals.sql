-- table: core.line_arrivals
-- grain: one row is a day on which good pieces of a purchase order line arrived
-- key: po_key, line_key, arrived
-- Good pieces that were not returned, at whatever place we named. Where no receipts are delivered at all, the dates of
-- delivered shipment lines stand for them, and basis says so.
WITH receipts AS (
    SELECT r.po_key, r.po_line_key AS line_key, r.received AS arrived, 'receipts' AS basis,
        greatest(0, r.qty_good - coalesce(r.qty_returned, 0)) AS quantity
    FROM stg.receipts r
    CROSS JOIN core.settings p
    WHERE r.received <= p.as_of AND r.po_key IS NOT NULL AND r.po_line_key IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY r.receipt_key, r.line_key ORDER BY r._ingest, r._sheet, r._row) = 1
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
