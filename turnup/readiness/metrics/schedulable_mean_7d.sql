-- ---
-- title: Schedulable, mean of 7 days
-- unit: capacity
-- definition: Handed-over compute capacity weighted by the share of the last 7 days' snapshots in which the scheduler
--   offered the node. It stands beside the point value and is not capped at the commitment.
-- formula: sum over handed-over nodes of capacity x allocatable snapshots / snapshots of the last 7 days
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    u.quantity * n.week_allocatable / n.week_snapshots AS value, 1 AS weight,
    'scheduler_nodes' AS dataset, n._ingest, n._row, n._sheet, n.observed_at,
    n.week_allocatable || ' of ' || n.week_snapshots || ' snapshots' AS note
FROM core.unit_stages u
JOIN core.units c ON c.system_key = u.system_key AND c.unit_key = u.unit_key
JOIN core.node_schedule n ON n.cluster_key = c.scheduler_key AND n.node_key = c.node_key
WHERE u.stage = 'handed_over' AND u.reached AND n.week_snapshots > 0
