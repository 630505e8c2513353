-- One row per shipment: its last event.
SELECT shipment, arg_max(state, try_cast(event_at AS TIMESTAMP)) AS state, max(try_cast(event_at AS TIMESTAMP)) AS at
FROM raw.logistics_events GROUP BY ALL
