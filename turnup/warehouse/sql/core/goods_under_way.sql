-- table: core.goods_under_way
-- grain: one row is a shipment line that left the vendor and is not there: not received in full, or delivered unreceived
-- key: shipment_key, line_key
-- Delivered goods are looked for on receipts when they went to a site of ours, and since receipts have been kept. Receipts
-- end a journey whatever the carrier still says. A lane is from place to place by a mode; the place of departure is the
-- one that the shipment gives, else that of its first actual event. events_told says whether this shipment's carrier is
-- heard of at all: only then its silence means something.
WITH seen AS (
    SELECT
        e.shipment_key, max(e.event_at) AS last_event_at, arg_max(e.type, (e.event_at, e.event_no)) AS last_event,
        arg_min(e.place, (e.event_at, e.event_no)) FILTER (e.place IS NOT NULL) AS first_place,
        arg_max(e.place, (e.event_at, e.event_no)) FILTER (e.place IS NOT NULL) AS last_place,
        max(e.event_at) FILTER (e.state IS NOT NULL AND e.state <> 'customs') AS last_other_at
    FROM core.tracking_events e WHERE e.classifier = 'actual' AND e.left_out IS NULL GROUP BY e.shipment_key
),
held AS (
    SELECT e.shipment_key, min(e.event_at) AS since
    FROM core.tracking_events e LEFT JOIN seen s ON s.shipment_key = e.shipment_key
    WHERE e.classifier = 'actual' AND e.left_out IS NULL AND e.state = 'customs'
        AND (s.last_other_at IS NULL OR e.event_at > s.last_other_at)
    GROUP BY e.shipment_key
),
told_customs AS (
    SELECT shipment_key, line_key, min(told_on) AS since
    FROM stg.shipments_told WHERE status = 'customs' AND until_no IS NULL GROUP BY ALL
),
heard AS (
    SELECT DISTINCT lower(trim(h.carrier)) AS carrier
    FROM stg.shipments h SEMI JOIN seen e ON e.shipment_key = h.shipment_key
    UNION
    SELECT DISTINCT lower(trim(carrier)) FROM core.tracking_events
)
SELECT
    s.shipment_key,
    s.line_key,
    s.shipment,
    s.line,
    s.part_number,
    coalesce(s.vendor, '(unknown)') AS vendor,
    s.carrier,
    s.state,
    s.quantity,
    coalesce(a.arrived, 0)::DECIMAL(18, 3) AS arrived,
    coalesce(upper(trim(s.origin)), e.first_place, '(unknown)') AS origin,
    coalesce(s.ship_to_site, s.destination, '(unknown)') AS destination,
    s.site_key,
    coalesce(lower(trim(s.mode)), '(unknown)') AS mode,
    s.shipped AS shipped_on,
    t.eta,
    coalesce(t.slip_days, 0) AS slip_days,
    s.delivered AS delivered_on,
    e.last_event_at,
    e.last_event,
    e.last_place,
    e.shipment_key IS NOT NULL OR c.carrier IS NOT NULL AS events_told,
    CASE WHEN s.state = 'customs' OR h.since IS NOT NULL
        THEN coalesce(timezone(w.time_zone, timezone('UTC', h.since))::DATE, k.since, s.shipped) END AS in_customs_since,
    s._ingest,
    s._row,
    s._sheet
FROM core.sent_lines s
CROSS JOIN meta.week w
LEFT JOIN core.asn_lines a ON a.shipment_key = s.shipment_key AND a.item_key = s.item_key
LEFT JOIN core.shipment_etas t ON t.shipment_key = s.shipment_key
LEFT JOIN seen e ON e.shipment_key = s.shipment_key
LEFT JOIN held h ON h.shipment_key = s.shipment_key
LEFT JOIN told_customs k ON k.shipment_key = s.shipment_key AND k.line_key = s.line_key
LEFT JOIN heard c ON c.carrier = lower(trim(s.carrier))
CROSS JOIN (SELECT min(received) AS first_received FROM stg.receipts) b
WHERE coalesce(a.arrived, 0) < coalesce(a.shipped, s.quantity)
    AND (
        s.state <> 'delivered'
        OR (coalesce(a.arrived, 0) = 0 AND s.delivered >= b.first_received
            AND s.site_key IN (SELECT site_id_key FROM stg.sites))
    )
