-- table: acceptance.figure_names
-- grain: one row is a kind of figure: a metric of a test in one statistic, direction, placement and number of nodes
-- key: figure_no
SELECT DISTINCT figure_no, test_key, metric_key, statistic, direction, placement, nodes FROM core.figures
