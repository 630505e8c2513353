-- table: core.purchase_lines
-- grain: one row is a purchase order line that goods are still expected of or came from
-- key: po_key, line_key
-- A cancelled line and one of a negative quantity (a correction) are no supply, and a closed line brings no more than
-- it brought (where receipts are delivered at all); core.order_lines keeps them all.
WITH again AS (
    SELECT p.rowid AS row_id
    FROM stg.purchase_orders p
    JOIN core.repeated_lines k ON k.dataset = 'purchase_orders' AND k.document_key = p.po_key AND k.line_key = p.line_key
    CROSS JOIN core.settings w
    WHERE p.status <> 'cancelled' AND p.quantity >= 0 AND (p.ordered IS NULL OR p.ordered <= w.as_of)
    QUALIFY row_number() OVER (PARTITION BY p.po_key, p.line_key ORDER BY p._ingest, p._sheet, p._row) > 1
)
SELECT
    p.po_key,
    p.line_key,
    p.po,
    p.line,
    p.part_number_key AS part_key,
    p.part_number,
    CASE
        WHEN p.status = 'closed' AND EXISTS (SELECT 1 FROM core.line_receipts) THEN least(p.quantity, coalesce(r.kept,
            0))
        ELSE p.quantity
    END::DECIMAL(18, 3) AS quantity,
    p.vendor,
    p.ordered,
    p.status,
    promise.promised,
    p._ingest,
    p._row,
    p._sheet
FROM stg.purchase_orders p
ANTI JOIN again a ON a.row_id = p.rowid
CROSS JOIN core.settings w
LEFT JOIN (SELECT po_key, line_key, max(promised) AS promised FROM stg.po_schedule GROUP BY ALL) promise
    ON promise.po_key = p.po_key AND promise.line_key = p.line_key
LEFT JOIN core.line_receipts r ON r.po_key = p.po_key AND r.line_key = p.line_key
WHERE p.status <> 'cancelled' AND p.quantity >= 0 AND (p.ordered IS NULL OR p.ordered <= w.as_of)
