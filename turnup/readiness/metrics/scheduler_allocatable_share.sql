-- ---
-- title: Nodes allocatable
-- unit: share
-- definition: Share of nodes known to the scheduler that it offers in its newest snapshot before the cut-off.
-- formula: allocatable nodes / nodes seen
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    n.allocatable::INTEGER AS value, 1 AS weight,
    'scheduler_nodes' AS dataset, n._ingest, n._row, n._sheet, n.observed_at, concat_ws(', ', n.state, n.reason) AS note
FROM core.units u
JOIN core.node_schedule n ON n.cluster_key = u.cluster_key AND n.node_key = u.node_key
WHERE u.kind IN ('gpu_cluster', 'cpu_cluster')
