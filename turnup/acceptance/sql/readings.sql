-- table: acceptance.readings
-- grain: one row is a measured value of a run that counts
-- key: subject_no, figure_no, row_no
SELECT
    f.subject_no,
    f.figure_no,
    f.row_no,
    f.size_bytes,
    f.size_bytes = c.largest AS is_largest,
    f.member,
    f.value,
    f.unit,
    f.dimension,
    f.factor,
    f.correctness,
    f.status,
    f.outcome,
    f.status = 'valid' AND f.correctness <> 'wrong' AND isfinite(f.value) AS is_usable
FROM core.figures f
JOIN acceptance.counted c
    ON c.subject_no = f.subject_no AND c.figure_no = f.figure_no AND c.run_no = f.run_no
