-- One row per system: pieces racked, and nodes that the scheduler gives out.
SELECT i.system_id, count(*) FILTER (i.racked IS NOT NULL) AS racked, count(s.node) AS schedulable
FROM {{ ref('stg_installs') }} i LEFT JOIN {{ ref('stg_scheduler_nodes') }} s ON s.node = i.name AND s.allocatable
GROUP BY ALL
