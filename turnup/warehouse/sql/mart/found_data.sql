-- table: core.found_data
-- grain: one row is a fault of evidence: wrong values, a unit that does not fit, a source that is late or missing
-- key: code, item
SELECT
    'wrong_values' AS code, 'error' AS severity, 'benchmarks' AS dataset, min(u.system_key) AS system_key,
    b.run || ' ' || b.node || ' ' || b.test AS subject, b.run || ' ' || b.node || ' ' || b.test AS item,
    arg_min_null(b._ingest, (b._ingest, b._row)) AS _ingest, arg_min_null(b._row, (b._ingest, b._row)) AS _row,
    arg_min_null(b._sheet, (b._ingest, b._row)) AS _sheet,
    'run ' || b.run || ' of ' || b.test || ' on ' || b.node || ' produced wrong values' AS message
FROM stg.benchmarks b
LEFT JOIN core.unit_names u ON u.name_key = b.node_key
WHERE b.correctness = 'wrong'
GROUP BY b.run, b.node, b.test
UNION ALL
SELECT
    'unit_conflict', 'error', 'commitments', s.system_key, c.contract || '/' || c.line || '/' || c.phase,
    concat_ws('/', c.contract_key, c.line_key, c.phase_key, c.amendment),
    c._ingest, c._row, c._sheet,
    'line ' || c.contract || '/' || c.line || ' counts in ' || c.unit || ', but ' || s.system_id || ' is counted in ' || s.unit || '; it is left out'
FROM stg.commitments c JOIN core.systems s ON s.system_key = c.system_id_key
WHERE c.unit <> s.unit
QUALIFY row_number() OVER (
    PARTITION BY c.contract_key, c.line_key, c.phase_key, c.amendment ORDER BY c._ingest, c._sheet, c._row
) = 1
UNION ALL
SELECT
    'stale_source', CASE WHEN required THEN 'error' ELSE 'warning' END, dataset, NULL, source, source, NULL, NULL, NULL,
    'source ' || source || ' is ' || state || CASE WHEN state = 'stale'
        THEN ' (' || figure(age_days) || ' days old, ' || figure(max_age_days) || ' allowed)' ELSE '' END
FROM meta.sources
WHERE state IN ('stale', 'rejected') OR (state = 'missing' AND required)
