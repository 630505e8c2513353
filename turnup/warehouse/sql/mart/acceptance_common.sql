-- table: mart.acceptance_common
-- grain: one row is a limit that most units of a system miss while none stands out among its peers
-- key: system_id, baseline_no
-- Nodes compared with each other would all pass: only the limit shows that the system is slow as a whole.
WITH counted AS (
    SELECT
        s.system_key, v.baseline_no,
        count(*) FILTER (v.rank IN (0, 1, 5) AND v.row_no IS NOT NULL) AS units,
        count(*) FILTER (v.rank = 5 AND v.row_no IS NOT NULL) AS failed,
        median(v.value) FILTER (v.row_no IS NOT NULL) AS median
    FROM acceptance.verdicts v JOIN core.subjects s ON s.subject_no = v.subject_no
    GROUP BY ALL
),
odd AS (
    SELECT DISTINCT s.system_key, f.baseline_no
    FROM acceptance.outliers o
    JOIN core.subjects s ON s.subject_no = o.subject_no
    JOIN acceptance.fitting f ON f.subject_no = o.subject_no AND f.figure_no = o.figure_no
)
SELECT
    y.system_id, c.baseline_no, b.test_key AS test, b.metric_key AS metric, b.limit_text, b.unit, b.decides, c.units,
    c.failed, c.median, coalesce(b.low, b.high) AS "limit", c.median / coalesce(b.low, b.high) - 1 AS gap
FROM counted c
JOIN core.baselines b ON b.baseline_no = c.baseline_no
JOIN core.systems y ON y.system_key = c.system_key
CROSS JOIN core.judging j
ANTI JOIN odd o ON o.system_key = c.system_key AND o.baseline_no = c.baseline_no
WHERE c.units >= j.minimum_nodes AND 2 * c.failed > c.units
