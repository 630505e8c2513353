-- table: acceptance.attempts
-- grain: one row is a run of a test on a subject, for one figure
-- key: subject_no, figure_no, run_no
-- state says whether the run may be judged; what is older than the subject's hardware is stale.
SELECT
    f.subject_no,
    f.figure_no,
    f.run_no,
    max(f.size_bytes) AS largest,
    max(f.measured_at) AS measured_at,
    any_value(s.changed_on) AS changed_on,
    max(f.stack) AS stack,
    CASE
        WHEN bool_or(f.status = 'tool_error') THEN 'tool_error'
        WHEN bool_or(f.status = 'conflict') THEN 'conflict'
        WHEN NOT bool_and(f.complete) OR bool_or(f.status = 'incomplete') THEN 'incomplete'
        WHEN max(f.measured_at) IS NULL AND any_value(s.dated) THEN 'undated'
        WHEN max(f.measured_at) < any_value(s.changed_on) THEN 'stale'
        WHEN count(f.value) = 0 THEN 'not_measured'
        ELSE 'valid'
    END AS state
FROM core.figures f
JOIN core.subjects s ON s.subject_no = f.subject_no
GROUP BY f.subject_no, f.figure_no, f.run_no
