-- table: mart.acceptance_scaling
-- grain: one row is a figure of a system at a number of nodes
-- key: system_id, test, metric, statistic, direction, placement, nodes
SELECT
    y.system_id, c.test_key AS test, c.metric_key AS metric, c.statistic, c.direction, c.placement, c.nodes, c.value,
    c.unit, c.base_nodes, c.base_value, c.efficiency, c.verdict
FROM acceptance.scaling c JOIN core.systems y ON y.system_key = c.system_key
