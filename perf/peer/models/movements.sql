-- One row per shipment: its last event.
SELECT shipment, arg_max(state, event_at) AS state, max(event_at) AS at
FROM {{ ref('stg_logistics_events') }} GROUP BY ALL
