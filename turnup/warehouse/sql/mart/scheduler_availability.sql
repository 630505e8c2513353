-- table: mart.scheduler_availability
-- grain: one row is a cluster: hours of its nodes in the week before the cut-off by what the scheduler did with them
-- key: cluster
SELECT
    min(cluster) AS cluster,
    count(*) AS nodes,
    sum(known_hours ORDER BY node_key) AS known_hours,
    sum(no_data_hours ORDER BY node_key) AS no_data_hours,
    sum(offered_hours ORDER BY node_key) AS offered_hours,
    sum(maintenance_hours ORDER BY node_key) AS maintenance_hours,
    sum(fault_hours ORDER BY node_key) AS fault_hours,
    sum(withdrawn_hours ORDER BY node_key) AS withdrawn_hours,
    sum(power_saving_hours ORDER BY node_key) AS power_saving_hours,
    sum(unknown_hours ORDER BY node_key) AS unknown_hours,
    sum(offered_hours ORDER BY node_key) / nullif(sum(known_hours ORDER BY node_key), 0) AS share,
    min(share) AS worst_share,
    arg_min(node, (share, node_key)) AS worst_node
FROM core.node_availability
GROUP BY cluster_key
