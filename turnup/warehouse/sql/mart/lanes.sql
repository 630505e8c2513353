-- table: mart.lanes
-- grain: one row is a lane with goods under way: from, to, mode
-- key: origin, destination, mode
-- A shipment counts once in its lane; exceptions counts shipments with any, and each kind beside it. heard_of counts
-- those whose carrier sends events: of the others silence says nothing.
WITH shipments AS (
    SELECT
        shipment_key, min(origin) AS origin, min(destination) AS destination, min(mode) AS mode, count(*) AS lines,
        sum(quantity - arrived) AS quantity, max(slip_days) AS slip_days, min(eta) AS eta,
        bool_or(events_told) AS events_told, bool_and(state = 'delivered') AS is_delivered
    FROM core.goods_under_way GROUP BY shipment_key
),
faults AS (
    SELECT
        shipment_key,
        count(*) FILTER (exception = 'customs_hold') AS customs_hold,
        count(*) FILTER (exception = 'not_received') AS not_received,
        count(*) FILTER (exception = 'eta_passed') AS eta_passed,
        count(*) FILTER (exception = 'silent') AS silent
    FROM core.transit_exceptions GROUP BY shipment_key
)
SELECT
    s.origin,
    s.destination,
    s.mode,
    count(*)::INTEGER AS shipments,
    sum(s.lines)::INTEGER AS lines,
    sum(s.quantity)::DECIMAL(18, 3) AS quantity,
    count(f.shipment_key)::INTEGER AS with_exceptions,
    coalesce(sum(f.customs_hold), 0)::INTEGER AS customs_hold,
    coalesce(sum(f.not_received), 0)::INTEGER AS not_received,
    coalesce(sum(f.eta_passed), 0)::INTEGER AS eta_passed,
    coalesce(sum(f.silent), 0)::INTEGER AS silent,
    count(*) FILTER (s.events_told)::INTEGER AS heard_of,
    count(*) FILTER (s.slip_days > 0)::INTEGER AS slipped,
    max(s.slip_days) FILTER (s.slip_days > 0)::INTEGER AS most_slip_days,
    min(s.eta) FILTER (NOT s.is_delivered) AS next_eta
FROM shipments s
LEFT JOIN faults f ON f.shipment_key = s.shipment_key
GROUP BY s.origin, s.destination, s.mode
