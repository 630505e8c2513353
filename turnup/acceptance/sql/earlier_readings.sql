-- table: acceptance.earlier_readings
-- grain: one row is a value of a figure on the software stack before
-- key: subject_no, figure_no, size_bytes, member, unit
SELECT
    e.subject_no, e.figure_no, any_value(e.stack) AS stack, f.size_bytes, f.member, f.unit,
    arg_max(f.value, f.row_no) AS value
FROM acceptance.earlier e
JOIN core.figures f ON f.subject_no = e.subject_no AND f.figure_no = e.figure_no AND f.run_no = e.run_no
GROUP BY e.subject_no, e.figure_no, f.size_bytes, f.member, f.unit
