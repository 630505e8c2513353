-- table: core.shipment_states
-- grain: one row is a shipment line with its state by status, by dates and by events
-- key: shipment_key, line_key
-- Of sources that contradict each other the lower state stands: cancelled, not left, moving, delivered. Sources that
-- differ only in how they call a moving shipment do not contradict each other.
WITH steps AS (
    SELECT * FROM (VALUES ('cancelled', 0), ('planned', 1), ('booked', 1), ('shipped', 2), ('in_transit', 2),
        ('customs', 2), ('exception', 2), ('delivered', 3)) AS known(state, step)
),
last_events AS (
    SELECT shipment_key, arg_max(state, (event_at, event_no)) AS state, max(event_at) AS event_at
    FROM core.tracking_events
    WHERE classifier = 'actual' AND left_out IS NULL AND state IS NOT NULL
    GROUP BY ALL
),
again AS (
    SELECT h.rowid AS row_id
    FROM stg.shipments h
    JOIN core.repeated_lines k ON k.dataset = 'shipments' AND k.document_key = h.shipment_key AND k.line_key = h.line_key
    QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key ORDER BY h._ingest, h._sheet, h._row) > 1
),
told AS (
    SELECT
        h.*,
        CASE WHEN h.delivered <= p.as_of THEN 'delivered' WHEN h.shipped <= p.as_of THEN 'shipped' END AS by_dates,
        e.state AS by_events,
        e.event_at
    FROM stg.shipments h
    ANTI JOIN again a ON a.row_id = h.rowid
    CROSS JOIN core.settings p
    LEFT JOIN last_events e ON e.shipment_key = h.shipment_key
)
SELECT
    t.shipment_key,
    t.line_key,
    t.shipment,
    t.line,
    t.status AS by_status,
    t.by_dates,
    t.by_events,
    t.event_at,
    CASE WHEN s.step IS NULL OR e.step < s.step THEN t.by_events ELSE t.status END AS state,
    coalesce(e.step <> s.step OR (d.step > s.step AND s.step > 0), false) AS contradicted,
    t._ingest,
    t._row,
    t._sheet
FROM told t
LEFT JOIN steps s ON s.state = t.status
LEFT JOIN steps d ON d.state = t.by_dates
LEFT JOIN steps e ON e.state = t.by_events
