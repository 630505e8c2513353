-- table: core.figures
-- grain: one row is a measured figure of a subject
-- key: subject_no, row_no
-- A cluster's nodes are judged by their own runs; other systems also by runs that name the system. Numbers stand for
-- names, because there are millions of figures: of a subject, of a kind of figure, of a run, of a row of a file.
WITH names AS (
    SELECT hash(system_key, unit_key) AS subject_no, name_key FROM core.unit_names
    UNION
    SELECT hash(system_key, unit_key), system_key FROM core.units WHERE kind NOT IN ('gpu_cluster', 'cpu_cluster')
)
SELECT
    n.subject_no,
    hash(f.test_key, f.metric_key, f.statistic, f.direction, f.placement, f.nodes) AS figure_no,
    hash(f.run_key) AS run_no,
    f.* EXCLUDE (name_key),
    m.dimension,
    m.factor
FROM core.node_figures f
JOIN names n ON n.name_key = f.name_key
LEFT JOIN core.measures m ON m.unit = f.unit
QUALIFY count(*) OVER (PARTITION BY n.subject_no, f.row_no) = 1
    OR row_number() OVER (PARTITION BY n.subject_no, f.row_no ORDER BY f.name_key) = 1
