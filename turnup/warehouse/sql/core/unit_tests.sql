-- table: core.unit_tests
-- grain: one row is an expectation that a unit must meet, with its verdict
-- key: system_key, unit_key, baseline_no
SELECT
    s.system_key,
    s.unit_key,
    v.baseline_no,
    v.test_key,
    v.metric_key,
    v.limit_text,
    v.unit,
    v.value,
    f.run,
    v.measured_at,
    s.changed_on,
    v.verdict,
    v.verdict IN ('pass', 'warn', 'fail') AND v.row_no IS NOT NULL AS is_evaluated,
    v.is_checked,
    v.is_stale,
    v.note,
    f._ingest,
    f._row,
    f._sheet
FROM acceptance.verdicts v
JOIN core.subjects s ON s.subject_no = v.subject_no
LEFT JOIN core.figures f ON f.subject_no = v.subject_no AND f.row_no = v.row_no
WHERE v.required
