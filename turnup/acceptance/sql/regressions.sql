-- table: acceptance.regressions
-- grain: one row is a figure of a subject that was measured before on another software stack
-- key: subject_no, figure_no, row_no
SELECT
    r.subject_no, r.figure_no, r.row_no, r.size_bytes, r.member, n.test_key, n.metric_key, s.stack, r.value, r.unit,
    o.stack AS stack_before,
    o.value AS value_before,
    r.value / nullif(o.value, 0) - 1 AS change,
    CASE WHEN r.dimension = 'time' THEN -1 ELSE 1 END * change < -j.regression_tolerance AS is_regression
FROM acceptance.earlier_readings o
JOIN acceptance.readings r
    ON o.subject_no = r.subject_no AND o.figure_no = r.figure_no AND o.size_bytes = r.size_bytes
    AND o.member = r.member AND o.unit = r.unit
JOIN acceptance.standing s ON s.subject_no = r.subject_no AND s.figure_no = r.figure_no
JOIN acceptance.figure_names n ON n.figure_no = r.figure_no
CROSS JOIN core.judging j
WHERE r.is_largest AND r.dimension IN ('byte_rate', 'bit_rate', 'time', 'flops', 'rate')
