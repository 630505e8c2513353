-- table: acceptance.fitting
-- grain: one row is a figure of a subject that a baseline speaks about: same statistic, direction, placement and nodes
-- key: subject_no, baseline_no, figure_no
-- Where the number of nodes is open, the newest run of any number counts.
WITH spoken_of AS (
    SELECT b.baseline_no, n.figure_no, n.direction, n.nodes
    FROM core.baselines b
    JOIN acceptance.figure_names n
        ON n.test_key = b.test_key AND n.metric_key = b.metric_key AND n.statistic = b.statistic
        AND (b.direction IS NULL OR n.direction = b.direction)
        AND (b.nodes IS NULL OR n.nodes = b.nodes)
        AND n.placement IN ('none', b.placement)
)
SELECT
    e.subject_no, e.baseline_no, s.figure_no, s.run_no, s.attempts, s.stale_attempts, s.last_state, s.measured_at,
    s.last_at, s.changed_on,
    s.run_no IS NOT NULL AND row_number() OVER (
        PARTITION BY e.subject_no, e.baseline_no, o.direction
        ORDER BY s.run_no IS NULL, s.measured_at DESC NULLS LAST, o.nodes, s.figure_no
    ) = 1 AS is_chosen
FROM acceptance.expected e
JOIN spoken_of o ON o.baseline_no = e.baseline_no
JOIN acceptance.standing s ON s.subject_no = e.subject_no AND s.figure_no = o.figure_no
