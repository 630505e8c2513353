-- One row per system: pieces racked, and nodes that the scheduler gives out.
SELECT i.system_id, count(*) FILTER (i.racked IS NOT NULL) AS racked, count(s.node) AS schedulable
FROM raw.installs i LEFT JOIN raw.scheduler_nodes s ON s.node = i.name AND s.allocatable = 'true' GROUP BY ALL
