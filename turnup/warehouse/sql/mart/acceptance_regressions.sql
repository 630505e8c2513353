-- table: mart.acceptance_regressions
-- grain: one row is a figure of a system that is worse on the present software stack than on the one before
-- key: system_id, test, metric, stack, stack_before
SELECT
    y.system_id, r.test_key AS test, r.metric_key AS metric, r.stack, r.stack_before,
    count(DISTINCT r.subject_no) AS units, min(r.change) AS worst_change, median(r.change) AS median_change
FROM acceptance.regressions r
JOIN core.subjects s ON s.subject_no = r.subject_no
JOIN core.systems y ON y.system_key = s.system_key
WHERE r.is_regression
GROUP BY ALL
