-- ---
-- title: Availability in the week
-- unit: share
-- definition: Share of the node-hours of the last 7 days in which the scheduler offered its nodes, of those hours of
--   which a snapshot speaks. Hours that no snapshot speaks of are no data and in no share.
-- formula: hours offered / hours known
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    a.offered_hours / a.known_hours AS value, a.known_hours AS weight,
    'scheduler_nodes' AS dataset, a._ingest, a._row, a._sheet, a.observed_at,
    round(a.offered_hours, 1) || ' of ' || round(a.known_hours, 1) || ' known hours' AS note
FROM core.units u
JOIN core.node_availability a ON a.cluster_key = u.scheduler_key AND a.node_key = u.node_key
WHERE a.known_hours > 0
