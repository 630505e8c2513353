-- table: mart.acceptance
-- grain: one row is a system with the verdicts on its units
-- key: system_id
-- expected counts every unit; what has no verdict is not evaluated, never passed.
WITH due AS (
    SELECT system_key, count(DISTINCT unit_key) AS units FROM core.revalidations GROUP BY ALL
),
odd AS (
    SELECT s.system_key, count(DISTINCT o.subject_no) AS units
    FROM acceptance.outliers o JOIN core.subjects s ON s.subject_no = o.subject_no GROUP BY ALL
),
counted AS (
    SELECT
        v.system_key,
        count(*) AS expected,
        count(*) FILTER (v.verdict = 'pass') AS passed,
        count(*) FILTER (v.verdict = 'warn') AS warned,
        count(*) FILTER (v.verdict = 'fail') AS failed,
        count(*) FILTER (v.verdict IN ('not_evaluated', 'tool_error', 'conflict')) AS not_evaluated,
        count(*) FILTER (v.has_stale) AS stale,
        count(*) FILTER (v.checks = 0) AS without_expectation
    FROM acceptance.subject_verdicts v GROUP BY v.system_key
)
SELECT
    y.system_id,
    y.kind,
    c.*,
    coalesce(odd.units, 0) AS outliers,
    coalesce(due.units, 0) AS revalidation_due
FROM counted c
JOIN core.systems y ON y.system_key = c.system_key
LEFT JOIN due ON due.system_key = c.system_key
LEFT JOIN odd ON odd.system_key = c.system_key
