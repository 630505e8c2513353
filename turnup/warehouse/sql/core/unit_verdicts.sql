-- table: core.unit_verdicts
-- grain: one row is a unit that must pass tests; has is true when every test passed, null when one is without data
-- key: system_key, unit_key
SELECT
    system_key,
    unit_key,
    CASE
        WHEN bool_or(verdict = 'fail') THEN false
        WHEN bool_or(verdict = 'no data') THEN NULL
        ELSE true
    END AS has,
    min(measured_at) AS observed_at,
    string_agg(test_key || ': ' || note, '; ' ORDER BY test_key, metric_key) AS note,
    arg_min_null(_ingest, (verdict = 'pass', test_key, metric_key)) AS _ingest,
    arg_min_null(_row, (verdict = 'pass', test_key, metric_key)) AS _row,
    arg_min_null(_sheet, (verdict = 'pass', test_key, metric_key)) AS _sheet
FROM core.unit_tests GROUP BY ALL
