-- table: core.evidence_accepted
-- grain: one row is a unit; has is true, false, or null where there is no data
-- key: system_key, unit_key
-- accepted: every required test passed on this hardware; circuits: tested, and no
-- newest result of a turn-up test below the rate ordered. A warning is not accepted without a waiver; a
-- tool that failed or a unit that does not fit says nothing about the hardware.
WITH proof AS (
    SELECT
        system_key, unit_key,
        arg_min_null(_ingest, (verdict = 'pass', test_key, metric_key, baseline_no)) AS _ingest,
        arg_min_null(_row, (verdict = 'pass', test_key, metric_key, baseline_no)) AS _row,
        arg_min_null(_sheet, (verdict = 'pass', test_key, metric_key, baseline_no)) AS _sheet
    FROM core.unit_tests GROUP BY ALL
)
SELECT
    a.system_key,
    a.unit_key,
    'accepted' AS stage,
    CASE
        WHEN a.dataset = 'circuits' THEN l.test_done
        WHEN v.verdict = 'pass' THEN true
        WHEN v.verdict IN ('fail', 'warn') THEN false
    END AS has,
    a.capacity AS quantity,
    coalesce(v.measured_at, c.tested::TIMESTAMP, l.test_at) AS observed_at,
    coalesce(CASE WHEN v.verdict = 'warn' THEN 'a warning needs a waiver: ' || v.note ELSE v.note END,
        CASE WHEN l.test_verdict = 'fail' THEN l.test_said END,
        'tested ' || c.tested, l.test_said, 'no acceptance limit for this SKU') AS note,
    CASE WHEN t._ingest IS NULL THEN a.dataset ELSE 'benchmarks' END AS dataset,
    coalesce(t._ingest, a._ingest) AS _ingest,
    CASE WHEN t._ingest IS NULL THEN a._row ELSE t._row END AS _row,
    CASE WHEN t._ingest IS NULL THEN a._sheet ELSE t._sheet END AS _sheet
FROM core.asset_units a
LEFT JOIN core.subjects s ON s.system_key = a.system_key AND s.unit_key = a.unit_key
LEFT JOIN acceptance.subject_verdicts v ON v.subject_no = s.subject_no AND v.checks > 0
LEFT JOIN proof t ON t.system_key = a.system_key AND t.unit_key = a.unit_key
LEFT JOIN core.circuit_now c ON c.circuit_key = a.circuit_key
LEFT JOIN core.circuit_life l ON l.circuit_key = a.circuit_key
