-- table: acceptance.regressions
-- grain: one row is a figure of a subject that was measured before on another software stack
-- key: subject_no, figure_no, row_no
WITH before AS (
    SELECT
        a.subject_no, a.figure_no,
        arg_max(a.run_no, (a.measured_at, a.run_no)) AS run_no, arg_max(a.stack, (a.measured_at, a.run_no)) AS stack
    FROM acceptance.attempts a
    JOIN acceptance.standing s ON s.subject_no = a.subject_no AND s.figure_no = a.figure_no
    WHERE a.state = 'valid' AND a.measured_at < s.measured_at AND a.stack <> s.stack
    GROUP BY ALL
),
old AS (
    SELECT
        b.subject_no, b.figure_no, b.stack, f.size_bytes, f.member, f.unit, arg_max(f.value, f.row_no) AS value
    FROM before b
    JOIN core.figures f ON f.subject_no = b.subject_no AND f.figure_no = b.figure_no AND f.run_no = b.run_no
    GROUP BY ALL
),
compared AS (
    SELECT
        r.*, s.stack, o.stack AS stack_before, o.value AS value_before,
        r.value / nullif(o.value, 0) - 1 AS change,
        CASE WHEN r.dimension = 'time' THEN -1 ELSE 1 END AS better
    FROM acceptance.readings r
    JOIN acceptance.standing s ON s.subject_no = r.subject_no AND s.figure_no = r.figure_no
    JOIN old o ON o.subject_no = r.subject_no AND o.figure_no = r.figure_no AND o.size_bytes = r.size_bytes
        AND o.member = r.member AND o.unit = r.unit
    WHERE r.is_largest AND r.dimension IN ('byte_rate', 'bit_rate', 'time', 'flops', 'rate')
)
SELECT
    c.subject_no, c.figure_no, c.row_no, c.size_bytes, c.member, n.test_key, n.metric_key, c.stack, c.value, c.unit,
    c.stack_before, c.value_before, c.change, c.better * c.change < -j.regression_tolerance AS is_regression
FROM compared c
JOIN acceptance.figure_names n ON n.figure_no = c.figure_no
CROSS JOIN core.judging j
