-- table: core.transit_exceptions
-- grain: one row is what is wrong with a shipment under way
-- key: shipment_key, exception
-- customs_hold: in customs for more than customs_hold_days. not_received: delivered to a site, and no piece of it on a
-- receipt after receipt_days (goods partly received are judged as short). eta_passed: not there, and the day told last
-- has passed. silent: no event for more than shipment_silence_days, of a carrier that is heard of. rank 1 is the cause to
-- look at first.
WITH shipments AS (
    SELECT
        g.shipment_key, min(g.shipment) AS shipment, min(g.vendor) AS vendor, min(g.carrier) AS carrier,
        min(g.origin) AS origin, min(g.destination) AS destination, min(g.mode) AS mode, count(*) AS lines,
        sum(g.quantity - g.arrived) AS quantity, max(g.arrived) AS arrived,
        bool_and(g.state = 'delivered') AS is_delivered, max(g.delivered_on) AS delivered_on, max(g.eta) AS eta,
        min(g.in_customs_since) FILTER (g.state <> 'delivered') AS in_customs_since, min(g.shipped_on) AS shipped_on,
        max(g.last_event_at) AS last_event_at, max(g.last_event) AS last_event, max(g.last_place) AS last_place,
        bool_or(g.events_told) AS events_told,
        arg_min_null(g._ingest, (g._ingest, g._row)) AS _ingest, arg_min_null(g._row, (g._ingest, g._row)) AS _row,
        arg_min_null(g._sheet, (g._ingest, g._row)) AS _sheet
    FROM core.goods_under_way g
    GROUP BY g.shipment_key
),
dated AS (
    SELECT
        s.*,
        greatest(timezone(w.time_zone, timezone('UTC', s.last_event_at))::DATE, s.shipped_on) AS last_sign
    FROM shipments s CROSS JOIN meta.week w
),
found AS (
    SELECT d.*, 'customs_hold' AS exception, 1 AS severity_no, d.in_customs_since AS since
    FROM dated d CROSS JOIN core.settings p WHERE d.in_customs_since < p.as_of - p.customs_hold_days
    UNION ALL
    SELECT d.*, 'not_received', 2, d.delivered_on
    FROM dated d CROSS JOIN core.settings p
    WHERE d.is_delivered AND d.arrived = 0 AND d.delivered_on < p.as_of - p.receipt_days
    UNION ALL
    SELECT d.*, 'eta_passed', 3, d.eta
    FROM dated d CROSS JOIN core.settings p WHERE NOT d.is_delivered AND d.eta < p.as_of
    UNION ALL
    SELECT d.*, 'silent', 4, d.last_sign
    FROM dated d CROSS JOIN core.settings p
    WHERE NOT d.is_delivered AND d.events_told AND d.last_sign < p.as_of - p.shipment_silence_days
)
SELECT
    f.shipment_key,
    f.exception,
    row_number() OVER (PARTITION BY f.shipment_key ORDER BY f.severity_no)::INTEGER AS "rank",
    f.shipment,
    f.vendor,
    f.carrier,
    f.origin,
    f.destination,
    f.mode,
    f.lines::INTEGER AS lines,
    f.quantity::DECIMAL(18, 3) AS quantity,
    f.since,
    (p.as_of - f.since)::INTEGER AS days,
    f.eta,
    f.last_event_at,
    f.last_event,
    f.last_place,
    f._ingest,
    f._row,
    f._sheet
FROM found f CROSS JOIN core.settings p
