-- table: core.tracking_events
-- grain: one row is an event of tracking, in the order of the events' times, with whether it counts and why not
-- key: event_key
-- An actual event after the cut-off or after its own report has not happened; one that another event replaces, or that
-- was taken back, no longer stands. A carrier names the shipment by its own or by its tracking number.
WITH events AS (
    SELECT e.*
    FROM stg.logistics_events e
    QUALIFY row_number() OVER (PARTITION BY e.event_id_key ORDER BY e.created_at DESC NULLS LAST, e._ingest, e._sheet,
        e._row) = 1
),
numbers AS (
    SELECT lower(nfc_normalize(trim(tracking))) AS tracking_key, min(shipment_key) AS shipment_key
    FROM stg.shipments WHERE tracking IS NOT NULL GROUP BY ALL HAVING count(DISTINCT shipment_key) = 1
),
replaced AS (SELECT DISTINCT replaces_key AS event_key FROM events WHERE replaces_key IS NOT NULL),
known AS (SELECT DISTINCT shipment_key FROM stg.shipments)
SELECT
    e.event_id_key AS event_key,
    e.event_id,
    CASE WHEN k.shipment_key IS NULL THEN coalesce(n.shipment_key, e.shipment_key) ELSE e.shipment_key
    END AS shipment_key,
    e.shipment,
    e.type,
    e.place,
    e.classifier,
    e.event_at,
    e.created_at,
    e.state,
    e.carrier,
    CASE
        WHEN r.event_key IS NOT NULL THEN 'replaced'
        WHEN coalesce(e.retracted, false) THEN 'taken back'
        WHEN e.classifier = 'actual' AND e.event_at > p.cut_off THEN 'in the future'
        WHEN e.classifier = 'actual' AND e.event_at > e.created_at THEN 'after its report'
    END AS left_out,
    row_number() OVER (
        PARTITION BY coalesce(k.shipment_key, n.shipment_key, e.shipment_key) ORDER BY e.event_at, e.event_id_key
    )::INTEGER AS event_no,
    e._ingest,
    e._row,
    e._sheet
FROM events e
CROSS JOIN core.settings p
LEFT JOIN known k ON k.shipment_key = e.shipment_key
LEFT JOIN numbers n ON n.tracking_key = e.shipment_key
LEFT JOIN replaced r ON r.event_key = e.event_id_key
