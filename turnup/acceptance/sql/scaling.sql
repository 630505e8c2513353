-- table: acceptance.scaling
-- grain: one row is a figure of a system at a number of nodes, beside the one at the fewest nodes
-- key: system_key, test_key, metric_key, statistic, direction, placement, nodes
-- efficiency: bus bandwidth is normalised by the collective, so at any scale it should stay; other rates should grow
-- with the nodes. The best valid run of each number of nodes stands for it.
WITH best AS (
    SELECT
        s.system_key, n.test_key, n.metric_key, n.statistic, n.direction, n.placement, n.nodes, r.unit,
        max(r.value) AS value, arg_max(r.row_no, (r.value, r.row_no)) AS row_no
    FROM acceptance.readings r
    JOIN acceptance.figure_names n ON n.figure_no = r.figure_no AND n.nodes IS NOT NULL
    JOIN core.subjects s ON s.subject_no = r.subject_no
    WHERE r.is_largest AND r.is_usable AND r.dimension IN ('byte_rate', 'bit_rate', 'flops', 'rate') AND r.member = 'all'
    GROUP BY ALL
),
based AS (
    SELECT
        *,
        first_value(nodes) OVER smaller AS base_nodes,
        first_value(value) OVER smaller AS base_value
    FROM best
    WINDOW smaller AS (
        PARTITION BY system_key, test_key, metric_key, statistic, direction, placement, unit ORDER BY nodes)
)
SELECT
    b.*,
    b.value / nullif(b.base_value * CASE WHEN b.metric_key = 'busbw' THEN 1 ELSE b.nodes / b.base_nodes END, 0)
        AS efficiency,
    CASE WHEN b.nodes = b.base_nodes THEN 'base' WHEN efficiency >= j.scaling_minimum THEN 'pass' ELSE 'fail' END AS verdict
FROM based b CROSS JOIN core.judging j
QUALIFY row_number() OVER (
    PARTITION BY b.system_key, b.test_key, b.metric_key, b.statistic, b.direction, b.placement, b.nodes
    ORDER BY b.value DESC, b.unit) = 1
