-- table: mart.acceptance_coverage
-- grain: one row is a required test in a system, by what its units have of it
-- key: system_id, test
SELECT
    y.system_id,
    c.test_key AS test,
    count(*) AS units,
    count(*) FILTER (c.state = 'covered') AS covered,
    count(*) FILTER (c.state = 'stale') AS stale,
    count(*) FILTER (c.state = 'not evaluated') AS not_evaluated,
    count(*) FILTER (c.state = 'missing') AS missing,
    max(c.attempts) AS most_attempts,
    list_sort(list(s.subject_id) FILTER (c.state <> 'covered'))[1:20] AS first_holes
FROM acceptance.coverage c
JOIN core.subjects s ON s.subject_no = c.subject_no
JOIN core.systems y ON y.system_key = s.system_key
GROUP BY y.system_id, c.test_key
