-- table: acceptance.earlier
-- grain: one row is a figure of a subject, with the last valid run before the one that counts on another software stack
-- key: subject_no, figure_no
SELECT
    a.subject_no, a.figure_no,
    arg_max(a.run_no, (a.measured_at, a.run_no)) AS run_no, arg_max(a.stack, (a.measured_at, a.run_no)) AS stack
FROM acceptance.attempts a
JOIN acceptance.standing s ON s.subject_no = a.subject_no AND s.figure_no = a.figure_no
WHERE a.state = 'valid' AND a.measured_at < s.measured_at AND a.stack <> s.stack
GROUP BY ALL
