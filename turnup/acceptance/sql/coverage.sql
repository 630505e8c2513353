-- table: acceptance.coverage
-- grain: one row is a test that a subject must have run
-- key: subject_no, test_key
SELECT
    subject_no,
    test_key,
    CASE WHEN bool_and(verdict IN ('pass', 'warn', 'fail') AND NOT is_hole) THEN 'covered'
        WHEN bool_or(is_stale) THEN 'stale'
        WHEN max(attempts) > 0 THEN 'not evaluated' ELSE 'missing' END AS state,
    max(attempts) AS attempts
FROM acceptance.verdicts
WHERE required
GROUP BY subject_no, test_key
