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
    SELECT v.subject_no, arg_max(v.row_no, (v.rank, v.row_no)) AS row_no
    FROM acceptance.verdicts v WHERE v.row_no IS NOT NULL AND (v.required OR v.decides) AND v.rank > 0
    GROUP BY v.subject_no
) w ON w.subject_no = v.subject_no
LEFT JOIN core.figures t ON t.subject_no = w.subject_no AND t.row_no = w.row_no
WHERE v.checks > 0 AND v.verdict <> 'pass'
