-- table: core.coming_goods
-- grain: one row is a quantity of a part that is on its way, or promised, with the day on which it is told to come
-- key: coming_key
-- What was received is taken from the shipments of its order line (or, where none is named, of its site and part) in the
-- order of their days; what was shipped covers the earliest promises. What an order line still owes beyond its promises,
-- such as pieces for rejected ones, comes with its last promise; without any promise it has no day.
WITH lines AS (
    SELECT
        h.shipment_key, h.line_key, h.shipment, h.mode,
        h.po_key, h.po_line_key,
        coalesce(l.part_key, h.part_number_key) AS part_key,
        h.ship_to_site_key AS site_key,
        coalesce(h.vendor, l.vendor) AS vendor,
        h.quantity::DECIMAL(18, 3) AS quantity,
        h.scheduled, h.eta, h.delivered, t.state,
        coalesce(h.delivered, h.eta, h.scheduled) AS day
    FROM stg.shipments h
    JOIN core.shipment_states t ON t.shipment_key = h.shipment_key AND t.line_key = h.line_key
    LEFT JOIN core.purchase_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
    WHERE t.state <> 'cancelled'
    QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key ORDER BY h._ingest, h._sheet, h._row) = 1
),
loose AS (
    SELECT site_key, part_key, sum(quantity) AS received
    FROM core.goods WHERE event IN ('received', 'held') AND po_key IS NULL GROUP BY ALL
),
queued AS (
    SELECT
        s.*,
        coalesce(CASE WHEN s.po_key IS NULL THEN o.received ELSE r.received END, 0) AS received,
        coalesce(sum(s.quantity) OVER (
            PARTITION BY s.po_key, s.po_line_key, CASE WHEN s.po_key IS NULL THEN s.site_key END,
                CASE WHEN s.po_key IS NULL THEN s.part_key END
            ORDER BY s.day NULLS LAST, s.shipment_key, s.line_key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS earlier
    FROM lines s
    LEFT JOIN core.line_receipts r ON r.po_key = s.po_key AND r.line_key = s.po_line_key
    LEFT JOIN loose o ON o.site_key = CASE WHEN s.po_key IS NULL THEN s.site_key END AND o.part_key = s.part_key
),
sent AS (
    SELECT po_key, po_line_key AS line_key, sum(quantity) AS quantity FROM lines WHERE po_key IS NOT NULL GROUP BY ALL
),
promises AS (
    SELECT
        p.po_key, p.line_key, p.schedule, p.promised, p.quantity,
        coalesce(sum(p.quantity) OVER (
            PARTITION BY p.po_key, p.line_key ORDER BY p.promised, p.schedule_key ROWS BETWEEN UNBOUNDED PRECEDING
            AND 1 PRECEDING
        ), 0) AS earlier
    FROM (
        SELECT * FROM stg.po_schedule
        QUALIFY row_number() OVER (PARTITION BY po_key, line_key, schedule_key ORDER BY _ingest, _sheet, _row) = 1
    ) p
),
orders AS (
    SELECT l.*, greatest(coalesce(s.quantity, 0), coalesce(r.received, 0)) AS covered,
        coalesce(r.received, 0) AS received, coalesce(r.kept, 0) AS kept
    FROM core.purchase_lines l
    LEFT JOIN sent s ON s.po_key = l.po_key AND s.line_key = l.line_key
    LEFT JOIN core.line_receipts r ON r.po_key = l.po_key AND r.line_key = l.line_key
),
promised AS (
    SELECT
        o.*, p.schedule, p.promised AS day,
        greatest(0, least(o.quantity, p.earlier + p.quantity) - greatest(p.earlier, o.covered)) AS open_quantity
    FROM orders o JOIN promises p ON p.po_key = o.po_key AND p.line_key = o.line_key
),
unpromised AS (
    SELECT
        o.*,
        greatest(0, o.quantity - o.kept - greatest(0, o.covered - o.received)
            - greatest(0, coalesce(p.quantity, 0) - o.covered)) AS open_quantity
    FROM orders o
    LEFT JOIN (SELECT po_key, line_key, sum(quantity) AS quantity FROM promises GROUP BY ALL) p
        ON p.po_key = o.po_key AND p.line_key = o.line_key
)
SELECT
    concat_ws('/', 'shipment', q.shipment_key, q.line_key) AS coming_key,
    'shipment' AS source,
    q.shipment AS name,
    q.shipment_key,
    q.po_key, q.po_line_key AS line_key, q.part_key, q.site_key, q.vendor, q.mode,
    greatest(0, least(q.quantity, q.earlier + q.quantity - q.received))::DECIMAL(18, 3) AS quantity,
    q.day AS expected,
    q.scheduled AS promised,
    q.state = 'delivered' AS arrived
FROM queued q
WHERE q.earlier + q.quantity > q.received AND q.quantity > 0
UNION ALL
SELECT
    concat_ws('/', 'promise', po_key, line_key, lower(schedule)), 'promise', concat_ws('/', po, line), NULL,
    po_key, line_key, part_key, NULL, vendor, NULL, open_quantity::DECIMAL(18, 3), day, day, false
FROM promised WHERE open_quantity > 0
UNION ALL
SELECT
    concat_ws('/', 'order', po_key, line_key), 'order', concat_ws('/', po, line), NULL,
    po_key, line_key, part_key, NULL, vendor, NULL, open_quantity::DECIMAL(18, 3), promised, promised, false
FROM unpromised WHERE open_quantity > 0
