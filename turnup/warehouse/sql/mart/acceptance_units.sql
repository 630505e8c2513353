-- table: mart.acceptance_units
-- grain: one row is a unit that has been tested or should be, and has not passed
-- key: system_id, unit_id, unit_key
SELECT
    y.system_id,
    s.subject_id AS unit_id,
    s.unit_key,
    v.verdict,
    v.failed,
    v.not_evaluated,
    v.has_stale,
    array_to_string(v.categories, ', ') AS categories,
    v.note,
    t._ingest,
    t._row,
    t._sheet
FROM acceptance.subject_verdicts v
JOIN core.subjects s ON s.subject_no = v.subject_no
JOIN core.systems y ON y.system_key = s.system_key
LEFT JOIN (
    SELECT system_key, unit_key, min(_ingest) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.unit_tests WHERE verdict <> 'pass' GROUP BY ALL
) t ON t.system_key = s.system_key AND t.unit_key = s.unit_key
WHERE v.checks > 0 AND v.verdict <> 'pass'
