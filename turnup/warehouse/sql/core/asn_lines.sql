-- table: core.asn_lines
-- grain: one row is what a shipment announced of an order line (or of a part, where no order is named) and what came of it
-- key: shipment_key, item_key
-- A receipt that names the shipment counts for its line of the same order line, else of the same part. Receipts that name
-- no shipment fill what their order line still lacks, the shipment that left first coming first; basis says so. What a
-- receipt books on a shipment that did not announce it is a row of its own.
WITH sent_several AS (SELECT shipment_key, item_key FROM core.sent_lines GROUP BY ALL HAVING count(*) > 1),
items AS (
    SELECT
        shipment_key, item_key, shipment, po_key, po_line_key, part_key, part_number, vendor, site_key,
        quantity AS shipped, shipped AS shipped_on, state = 'delivered' AS is_delivered,
        CASE state WHEN 'delivered' THEN delivered END AS delivered_on, _ingest, _row, _sheet
    FROM core.sent_lines ANTI JOIN sent_several USING (shipment_key, item_key)
    UNION ALL
    SELECT
        shipment_key, item_key, min(shipment), any_value(po_key), any_value(po_line_key), min(part_key), min(part_number),
        min(vendor), min(site_key), sum(quantity), min(shipped), bool_and(state = 'delivered'),
        max(delivered) FILTER (state = 'delivered'),
        arg_min_null(_ingest, (_ingest, _row)), arg_min_null(_row, (_ingest, _row)), arg_min_null(_sheet, (_ingest, _row))
    FROM core.sent_lines SEMI JOIN sent_several USING (shipment_key, item_key)
    GROUP BY shipment_key, item_key
),
came AS (
    SELECT r.*, i.shipment_key IS NOT NULL AS is_named
    FROM core.receipt_lines r
    LEFT JOIN (SELECT DISTINCT shipment_key FROM items) i ON i.shipment_key = r.shipment_key
),
parts AS (SELECT shipment_key, part_key, min(item_key) AS item_key FROM items WHERE part_key IS NOT NULL GROUP BY ALL),
placed AS (
    SELECT
        c.*,
        coalesce(o.item_key, a.item_key, coalesce(c.po_key || '/' || c.po_line_key, 'part ' || c.part_key))
            AS item_key
    FROM came c
    LEFT JOIN items o ON o.shipment_key = c.shipment_key AND o.item_key = c.po_key || '/' || c.po_line_key
    LEFT JOIN parts a ON a.shipment_key = c.shipment_key AND a.part_key = c.part_key
    WHERE c.is_named
),
booked_several AS (SELECT shipment_key, item_key FROM placed GROUP BY ALL HAVING count(*) > 1),
booked AS (
    SELECT
        shipment_key, item_key, arrived, rejected, received AS first_received, received AS last_received, shipment,
        part_number, part_key, po_key, po_line_key, site_key, _ingest, _row, _sheet
    FROM placed ANTI JOIN booked_several USING (shipment_key, item_key)
    UNION ALL
    SELECT
        shipment_key, item_key, sum(arrived), sum(rejected), min(received), max(received), min(shipment),
        min(part_number), min(part_key), any_value(po_key), any_value(po_line_key), min(site_key),
        arg_min_null(_ingest, (_ingest, _row)), arg_min_null(_row, (_ingest, _row)), arg_min_null(_sheet, (_ingest, _row))
    FROM placed SEMI JOIN booked_several USING (shipment_key, item_key)
    GROUP BY shipment_key, item_key
),
pools AS (
    SELECT po_key || '/' || po_line_key AS item_key, sum(arrived) AS arrived, max(received) AS last_received
    FROM came WHERE NOT is_named AND po_key IS NOT NULL AND po_line_key IS NOT NULL GROUP BY ALL
),
gaps AS (
    SELECT
        i.shipment_key, i.item_key, greatest(0, i.shipped - coalesce(b.arrived, 0)) AS gap,
        sum(greatest(0, i.shipped - coalesce(b.arrived, 0))) OVER (
            PARTITION BY i.item_key ORDER BY i.shipped_on NULLS LAST, i.shipment_key
        ) AS gap_to_here
    FROM items i
    LEFT JOIN booked b ON b.shipment_key = i.shipment_key AND b.item_key = i.item_key
    WHERE i.item_key IN (SELECT item_key FROM pools)
),
filled AS (
    SELECT g.shipment_key, g.item_key, p.last_received,
        least(g.gap, greatest(0, p.arrived - (g.gap_to_here - g.gap))) AS arrived
    FROM gaps g JOIN pools p ON p.item_key = g.item_key
)
SELECT
    coalesce(i.shipment_key, b.shipment_key) AS shipment_key,
    coalesce(i.item_key, b.item_key) AS item_key,
    coalesce(i.shipment, b.shipment) AS shipment,
    coalesce(i.po_key, b.po_key) AS po_key,
    coalesce(i.po_line_key, b.po_line_key) AS po_line_key,
    coalesce(i.part_key, b.part_key) AS part_key,
    coalesce(i.part_number, b.part_number, i.part_key) AS part_number,
    i.vendor,
    coalesce(i.site_key, b.site_key) AS site_key,
    i.shipment_key IS NOT NULL AS is_announced,
    coalesce(i.shipped, 0)::DECIMAL(18, 3) AS shipped,
    coalesce(b.arrived, 0)::DECIMAL(18, 3) + coalesce(f.arrived, 0)::DECIMAL(18, 3) AS arrived,
    coalesce(b.rejected, 0)::DECIMAL(18, 3) AS rejected,
    CASE WHEN b.arrived > 0 THEN 'shipment' WHEN f.arrived > 0 THEN 'order line' END AS basis,
    i.shipped_on,
    coalesce(i.is_delivered, true) AS is_delivered,
    i.delivered_on,
    greatest(b.last_received, CASE WHEN f.arrived > 0 THEN f.last_received END) AS last_received,
    coalesce(b._ingest, i._ingest) AS _ingest,
    CASE WHEN b.shipment_key IS NOT NULL THEN b._row ELSE i._row END AS _row,
    CASE WHEN b.shipment_key IS NOT NULL THEN b._sheet ELSE i._sheet END AS _sheet,
    CASE WHEN b.shipment_key IS NOT NULL THEN 'receipts' ELSE 'shipments' END AS dataset
FROM items i
FULL JOIN booked b ON b.shipment_key = i.shipment_key AND b.item_key = i.item_key
LEFT JOIN filled f ON f.shipment_key = i.shipment_key AND f.item_key = i.item_key
