-- table: mart.acceptance_figures
-- grain: one row is a limit in a system, with how the measured values lie around it
-- key: system_id, baseline_no
SELECT
    y.system_id,
    j.baseline_no,
    any_value(b.test_key) AS test,
    any_value(b.metric_key) AS metric,
    any_value(b.statistic) AS statistic,
    any_value(b.limit_text) AS limit_text,
    any_value(b.low) AS low,
    any_value(b.high) AS high,
    any_value(b.unit) AS unit,
    any_value(b.source) AS source,
    count(*) AS figures,
    count(DISTINCT j.subject_no) AS units,
    count(*) FILTER (j.rank = 5) AS failed,
    min(j.value) AS lowest,
    quantile_cont(j.value, 0.05) AS p05,
    median(j.value) AS median,
    quantile_cont(j.value, 0.95) AS p95,
    max(j.value) AS highest
FROM acceptance.judged j
JOIN core.subjects s ON s.subject_no = j.subject_no
JOIN core.systems y ON y.system_key = s.system_key
JOIN core.baselines b ON b.baseline_no = j.baseline_no
WHERE j.value IS NOT NULL AND isfinite(j.value)
GROUP BY y.system_id, j.baseline_no
