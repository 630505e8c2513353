-- table: core.goods
-- grain: one row is a shipment or receipt line: goods of an order line, or of a part where no order is named
-- key: event, goods_key
-- event: shipped (left the vendor), held (received at a warehouse or an integrator), received (at a site).
WITH received_again AS (
    SELECT r.rowid AS row_id
    FROM stg.receipts r
    JOIN core.repeated_lines k ON k.dataset = 'receipts' AND k.document_key = r.receipt_key AND k.line_key = r.line_key
    CROSS JOIN core.settings p
    WHERE r.received <= p.as_of
    QUALIFY row_number() OVER (PARTITION BY r.receipt_key, r.line_key ORDER BY r._ingest, r._sheet, r._row) > 1
),
shipped_again AS (
    SELECT h.rowid AS row_id
    FROM stg.shipments h
    JOIN core.repeated_lines k ON k.dataset = 'shipments' AND k.document_key = h.shipment_key AND k.line_key = h.line_key
    CROSS JOIN core.settings p
    JOIN core.shipment_states t ON t.shipment_key = h.shipment_key AND t.line_key = h.line_key
    WHERE t.state IN ('shipped', 'in_transit', 'customs', 'delivered', 'exception')
      AND coalesce(h.shipped, h.delivered, p.as_of) <= p.as_of
    QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key ORDER BY h._ingest, h._sheet, h._row) > 1
),
serials AS (SELECT receipt_key, line_key, count(*) AS n FROM core.receipt_serials GROUP BY ALL),
receipts AS (
    SELECT
        CASE r.place WHEN 'site' THEN 'received' ELSE 'held' END AS event,
        r.receipt_key || chr(31) || r.line_key AS goods_key,
        r.receipt || '/' || r.line AS goods_id,
        r.po_key,
        r.po_line_key,
        r.part_number_key AS part_key,
        r.site_id_key AS site_key,
        greatest(0, r.qty_good - coalesce(r.qty_returned, 0))::DECIMAL(18, 3) AS quantity,
        coalesce(n.n, 0) AS serials,
        r.received AS moved,
        NULL::DATE AS eta,
        'receipts' AS dataset,
        r._ingest,
        r._row,
        r._sheet
    FROM stg.receipts r
    ANTI JOIN received_again a ON a.row_id = r.rowid
    CROSS JOIN core.settings p
    LEFT JOIN serials n ON n.receipt_key = r.receipt_key AND n.line_key = r.line_key
    WHERE r.received <= p.as_of
),
shipments AS (
    SELECT
        'shipped' AS event,
        h.shipment_key || chr(31) || h.line_key AS goods_key,
        h.shipment || '/' || h.line AS goods_id,
        h.po_key,
        h.po_line_key,
        coalesce(l.part_key, h.part_number_key) AS part_key,
        h.ship_to_site_key AS site_key,
        h.quantity::DECIMAL(18, 3) AS quantity,
        0 AS serials,
        coalesce(h.shipped, h.delivered) AS moved,
        coalesce(h.delivered, h.eta, h.scheduled) AS eta,
        'shipments' AS dataset,
        h._ingest,
        h._row,
        h._sheet
    FROM stg.shipments h
    ANTI JOIN shipped_again a ON a.row_id = h.rowid
    CROSS JOIN core.settings p
    LEFT JOIN core.purchase_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
    JOIN core.shipment_states t ON t.shipment_key = h.shipment_key AND t.line_key = h.line_key
    WHERE t.state IN ('shipped', 'in_transit', 'customs', 'delivered', 'exception')
      AND coalesce(h.shipped, h.delivered, p.as_of) <= p.as_of
)
SELECT * FROM receipts
UNION ALL
SELECT * FROM shipments
