-- table: core.order_lines
-- grain: one row is a purchase order line of any status, with what was shipped and received of it
-- key: po_key, line_key
-- complete is capped at the order, the surplus stands beside it; expected is what may still come, and left_out says
-- why a line brings nothing more.
WITH again AS (
    SELECT l.rowid AS row_id
    FROM stg.purchase_orders l
    JOIN core.repeated_lines k ON k.dataset = 'purchase_orders' AND k.document_key = l.po_key AND k.line_key = l.line_key
    QUALIFY row_number() OVER (PARTITION BY l.po_key, l.line_key ORDER BY l._ingest, l._sheet, l._row) > 1
),
lines AS (SELECT l.* FROM stg.purchase_orders l ANTI JOIN again a ON a.row_id = l.rowid),
shipped AS (
    SELECT po_key, line_key, sum(quantity) AS quantity, count(*) AS shipments
    FROM (
        SELECT po_key, po_line_key AS line_key, split_part(goods_key, chr(31), 1) AS shipment_key, sum(quantity) AS quantity
        FROM core.goods WHERE event = 'shipped' AND po_key IS NOT NULL AND po_line_key IS NOT NULL GROUP BY ALL
    )
    GROUP BY po_key, line_key
)
SELECT
    l.po_key,
    l.line_key,
    l.po,
    l.line,
    l.part_number,
    l.part_number_key AS part_key,
    l.vendor,
    l.status,
    l.ordered AS ordered_on,
    l.requested,
    l.quantity::DECIMAL(18, 3) AS ordered,
    coalesce(s.quantity, 0)::DECIMAL(18, 3) AS shipped,
    coalesce(s.shipments, 0)::INTEGER AS shipments,
    coalesce(r.receipts, 0)::INTEGER AS receipts,
    coalesce(r.received, 0)::DECIMAL(18, 3) AS received,
    coalesce(r.accepted, 0)::DECIMAL(18, 3) AS accepted,
    coalesce(r.rejected, 0)::DECIMAL(18, 3) AS rejected,
    coalesce(r.returned, 0)::DECIMAL(18, 3) AS returned,
    least(greatest(l.quantity, 0), coalesce(r.kept, 0))::DECIMAL(18, 3) AS complete,
    greatest(0, coalesce(r.kept, 0) - greatest(l.quantity, 0))::DECIMAL(18, 3) AS surplus,
    greatest(0, l.quantity - coalesce(r.kept, 0))::DECIMAL(18, 3) AS open_quantity,
    CASE
        WHEN l.status IN ('cancelled', 'closed') OR l.quantity < 0 THEN 0
        ELSE greatest(0, l.quantity - coalesce(r.kept, 0))
    END::DECIMAL(18, 3) AS expected,
    CASE
        WHEN l.status = 'cancelled' THEN 'cancelled'
        WHEN l.quantity < 0 THEN 'negative'
        WHEN l.status = 'closed' THEN 'closed'
    END AS left_out,
    r.last_received,
    l._ingest,
    l._row,
    l._sheet
FROM lines l
LEFT JOIN shipped s ON s.po_key = l.po_key AND s.line_key = l.line_key
LEFT JOIN core.line_receipts r ON r.po_key = l.po_key AND r.line_key = l.line_key
