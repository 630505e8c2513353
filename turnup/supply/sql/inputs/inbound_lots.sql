-- table: core.inbound_lots
-- grain: one row is a quantity that still comes: of a shipment, of a promise on an order line, or of neither
-- key: lot_key
-- An order line brings what was ordered and not kept, and nothing once it is closed or cancelled. What is on its way of it
-- comes first; it and what arrived (the rejected too) fulfil the earliest promises; the last promises bring the rest, and
-- what no promise is left for has no day. Goods at a warehouse or an integrator have none until they are sent on.
WITH lines AS (
    SELECT
        l.po_key, l.line_key, l.po, l.line, l.part_key, l.vendor, l.promised, l._ingest, l._row, l._sheet,
        o.expected, o.received, o.last_received
    FROM core.purchase_lines l JOIN core.order_lines o ON o.po_key = l.po_key AND o.line_key = l.line_key
    WHERE o.expected > 0
),
arrivals AS (
    SELECT
        r.receipt_key, r.line_key, r.shipment_key, r.po_key, r.po_line_key, r.part_number_key, r.site_id_key, r.place,
        r.qty_good + coalesce(r.qty_rejected, 0) AS arrived, greatest(0, r.qty_good - coalesce(r.qty_returned, 0)) AS kept,
        r._ingest, r._row, r._sheet
    FROM stg.receipts r
    CROSS JOIN core.settings p
    LEFT JOIN lines l ON l.po_key = r.po_key AND l.line_key = r.po_line_key
    WHERE r.received <= p.as_of
      AND (r.place <> 'site' OR l.po_key IS NOT NULL OR r.po_key IS NULL OR r.po_line_key IS NULL)
    QUALIFY row_number() OVER (PARTITION BY r.receipt_key, r.line_key ORDER BY r._ingest, r._sheet, r._row) = 1
),
sent AS (
    SELECT
        split_part(g.goods_key, chr(31), 1) AS shipment_key, g.po_key, g.po_line_key, g.part_key, g.site_key,
        any_value(split_part(g.goods_id, '/', 1)) AS shipment, sum(g.quantity) AS quantity, max(g.eta) AS eta,
        max(g.moved) AS moved, min(g._ingest) AS _ingest, arg_min_null(g._row, (g._ingest, g._row)) AS _row,
        arg_min_null(g._sheet, (g._ingest, g._row)) AS _sheet
    FROM core.goods g
    LEFT JOIN lines l ON l.po_key = g.po_key AND l.line_key = g.po_line_key
    WHERE g.event = 'shipped' AND (l.po_key IS NOT NULL OR g.po_key IS NULL OR g.po_line_key IS NULL)
    GROUP BY ALL
),
named AS (
    SELECT
        shipment_key, coalesce(po_key, 'part') AS owner, coalesce(po_line_key, part_number_key) AS item,
        CASE WHEN po_key IS NULL THEN site_id_key ELSE '' END AS place, sum(arrived) AS arrived
    FROM arrivals WHERE shipment_key IS NOT NULL GROUP BY ALL
),
owned AS (
    SELECT
        *, coalesce(po_key, 'part') AS owner, coalesce(po_line_key, part_key) AS item,
        CASE WHEN po_key IS NULL THEN site_key ELSE '' END AS place
    FROM sent
),
sendings AS (
    SELECT s.*, least(s.quantity, coalesce(n.arrived, 0)) AS matched
    FROM owned s
    LEFT JOIN named n ON n.shipment_key = s.shipment_key AND n.owner = s.owner AND n.item = s.item AND n.place = s.place
),
come AS (
    SELECT
        coalesce(po_key, 'part') AS owner, coalesce(po_line_key, part_number_key) AS item,
        CASE WHEN po_key IS NULL THEN site_id_key ELSE '' END AS place, sum(arrived) AS arrived
    FROM arrivals GROUP BY ALL
),
queued AS (
    SELECT
        s.*,
        s.quantity - s.matched AS open_quantity,
        greatest(0, coalesce(c.arrived, 0) - sum(s.matched) OVER (PARTITION BY s.owner, s.item, s.place)) AS unnamed,
        sum(s.quantity - s.matched) OVER (
            PARTITION BY s.owner, s.item, s.place ORDER BY s.eta NULLS LAST, s.moved, s.shipment_key, s.site_key
        ) AS upto
    FROM sendings s
    LEFT JOIN come c ON c.owner = s.owner AND c.item = s.item AND c.place = s.place
),
moving AS (
    SELECT *, greatest(0, least(open_quantity, upto - unnamed)) AS coming FROM queued WHERE upto > unnamed
),
transit AS (
    SELECT
        m.* EXCLUDE (coming), l.vendor, l.promised,
        greatest(0, least(m.coming, l.expected - coalesce(sum(m.coming) OVER (
            PARTITION BY m.po_key, m.po_line_key ORDER BY m.eta NULLS LAST, m.moved, m.shipment_key, m.site_key
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0))) AS coming
    FROM moving m JOIN lines l ON l.po_key = m.po_key AND l.line_key = m.po_line_key
),
on_the_way AS (
    SELECT po_key, po_line_key AS line_key, sum(coming) AS coming, max(eta) AS last_eta FROM transit
    WHERE coming > 0 GROUP BY ALL
),
promises AS (
    SELECT
        p.po_key, p.line_key, p.schedule, p.schedule_key, p.promised, p.quantity, p._ingest, p._row, p._sheet,
        sum(p.quantity) OVER line AS upto, sum(p.quantity) OVER (PARTITION BY p.po_key, p.line_key) AS total
    FROM (
        SELECT t.* FROM stg.po_schedule t JOIN lines l ON l.po_key = t.po_key AND l.line_key = t.line_key
        QUALIFY row_number() OVER (
            PARTITION BY t.po_key, t.line_key, t.schedule_key ORDER BY t._ingest, t._sheet, t._row
        ) = 1
    ) p
    WINDOW line AS (PARTITION BY p.po_key, p.line_key ORDER BY p.promised, p.schedule_key)
),
open_promises AS (
    SELECT
        p.*, l.po, l.line, l.part_key, l.vendor,
        least(l.received + coalesce(t.coming, 0), coalesce(sum(p.quantity) FILTER (
            p.promised <= greatest(l.last_received, t.last_eta)) OVER (PARTITION BY p.po_key, p.line_key), 0)) AS kept_in_time,
        p.total - (l.expected - coalesce(t.coming, 0)) AS too_many
    FROM promises p
    JOIN lines l ON l.po_key = p.po_key AND l.line_key = p.line_key
    LEFT JOIN on_the_way t ON t.po_key = p.po_key AND t.line_key = p.line_key
),
due AS (
    SELECT *, greatest(0, least(quantity, upto - greatest(0, kept_in_time, too_many))) AS coming FROM open_promises
),
undated AS (
    SELECT l.*, l.expected - coalesce(t.coming, 0) - coalesce(d.coming, 0) AS coming
    FROM lines l
    LEFT JOIN on_the_way t ON t.po_key = l.po_key AND t.line_key = l.line_key
    LEFT JOIN (SELECT po_key, line_key, sum(coming) AS coming FROM due GROUP BY ALL) d
        ON d.po_key = l.po_key AND d.line_key = l.line_key
),
waiting AS (
    SELECT
        a.po_key, a.po_line_key, a.part_number_key AS part_key, a.site_id_key AS site_key, sum(a.kept) AS away,
        string_agg(DISTINCT a.place, ' and ' ORDER BY a.place) AS places, min(a._ingest) AS _ingest,
        arg_min_null(a._row, (a._ingest, a._row)) AS _row, arg_min_null(a._sheet, (a._ingest, a._row)) AS _sheet
    FROM arrivals a WHERE a.place <> 'site' GROUP BY ALL
),
on_site AS (
    SELECT po_key, po_line_key, part_key, site_key, sum(quantity) AS quantity
    FROM core.goods WHERE event = 'received' GROUP BY ALL
),
held AS (
    SELECT
        w.*, l.vendor,
        CASE WHEN w.po_key IS NULL THEN greatest(0, w.away - coalesce(s.quantity, 0))
            ELSE greatest(0, least(w.away, coalesce(l.quantity, w.away) - coalesce(s.quantity, 0))) END AS coming
    FROM waiting w
    LEFT JOIN core.purchase_lines l ON l.po_key = w.po_key AND l.line_key = w.po_line_key
    LEFT JOIN on_site s
        ON s.part_key = w.part_key AND s.site_key = w.site_key AND coalesce(s.po_key, '') = coalesce(w.po_key, '')
        AND coalesce(s.po_line_key, '') = coalesce(w.po_line_key, '')
)
SELECT
    concat_ws('/', 'shipment', shipment_key, po_key, po_line_key, part_key, site_key) AS lot_key, 'shipment' AS kind,
    po_key, po_line_key, part_key, site_key, coming::DECIMAL(18, 3) AS quantity, coalesce(eta, promised) AS told, vendor,
    'shipment ' || shipment AS name, 'shipments' AS dataset, _ingest, _row, _sheet
FROM transit WHERE coming > 0
UNION ALL
SELECT
    concat_ws('/', 'shipment', m.shipment_key, m.part_key, m.site_key), 'shipment', NULL, NULL, m.part_key, m.site_key,
    m.coming::DECIMAL(18, 3), m.eta, h.vendor, 'shipment ' || m.shipment, 'shipments', m._ingest, m._row, m._sheet
FROM moving m
LEFT JOIN (SELECT shipment_key, min(vendor) AS vendor FROM stg.shipments GROUP BY ALL) h ON h.shipment_key = m.shipment_key
WHERE m.po_key IS NULL AND m.part_key IS NOT NULL AND m.coming > 0
UNION ALL
SELECT
    concat_ws('/', 'schedule', po_key, line_key, schedule_key), 'schedule', po_key, line_key, part_key, NULL,
    coming::DECIMAL(18, 3), promised, vendor, 'PO ' || po || ' line ' || line || ' schedule ' || schedule, 'po_schedule',
    _ingest, _row, _sheet
FROM due WHERE coming > 0
UNION ALL
SELECT
    concat_ws('/', 'order', po_key, line_key), 'order', po_key, line_key, part_key, NULL, coming::DECIMAL(18, 3), NULL,
    vendor, 'PO ' || po || ' line ' || line, 'purchase_orders', _ingest, _row, _sheet
FROM undated WHERE coming > 0
UNION ALL
SELECT
    concat_ws('/', 'held', po_key, po_line_key, part_key, site_key), 'held', po_key, po_line_key, part_key, site_key,
    coming::DECIMAL(18, 3), NULL, vendor, places || ' for ' || coalesce(site_key, '?'), 'receipts', _ingest, _row, _sheet
FROM held WHERE coming > 0
