-- One row per system whose figures differ from the week before.
WITH weeks AS (SELECT DISTINCT week, dense_rank() OVER (ORDER BY week DESC) AS back FROM {{ ref('weekly_status') }})
SELECT n.system_id, n.received - o.received AS received, n.racked - o.racked AS racked,
    n.short_parts - o.short_parts AS short_parts, n.last_at - o.last_at AS later_d
FROM {{ ref('weekly_status') }} n JOIN {{ ref('weekly_status') }} o USING (system_id)
WHERE n.week = (SELECT week FROM weeks WHERE back = 1) AND o.week = (SELECT week FROM weeks WHERE back = 2)
    AND (n.received, n.racked, n.short_parts, n.last_at) IS DISTINCT FROM
        (o.received, o.racked, o.short_parts, o.last_at)
