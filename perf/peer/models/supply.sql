-- One row per lot that can be given out: what lies free, and what is still to come of each order line by its promise.
SELECT 'stock' AS kind, site_id || ' ' || coalesce(lot, '') AS lot, part_number, free AS quantity,
    counted_at::DATE AS comes
FROM {{ ref('stg_inventory') }} WHERE free > 0
UNION ALL
SELECT 'order', po || ' ' || line, part_number, ordered - received, promised
FROM {{ ref('orders') }} WHERE ordered > received
