-- table: core.found_data
-- grain: one row is a fault of evidence: wrong values, a unit that does not fit, a source that is late or missing
-- key: code, item
-- wrong_values stands until a newer complete run of the node in the same test.
WITH runs AS (
    SELECT
        name_key, test_key, run_key, any_value(run) AS run, bool_and(complete) AS complete,
        bool_or(correctness = 'wrong') AS wrong, max(measured_at) AS measured_at,
        min(_ingest) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.node_figures GROUP BY ALL
),
newest AS (
    SELECT * FROM runs WHERE complete
    QUALIFY row_number() OVER (PARTITION BY name_key, test_key ORDER BY measured_at DESC NULLS LAST, run_key DESC) = 1
)
SELECT
    'wrong_values' AS code, 'error' AS severity, 'benchmarks' AS dataset, min(u.system_key) AS system_key,
    r.run AS subject, r.run || ' ' || r.test_key AS item,
    min(r._ingest) AS _ingest, arg_min_null(r._row, (r._ingest, r._row)) AS _row,
    arg_min_null(r._sheet, (r._ingest, r._row)) AS _sheet,
    'run ' || r.run || ' of ' || r.test_key || ' produced wrong values on '
        || string_agg(DISTINCT r.name_key, ', ' ORDER BY r.name_key) AS message
FROM newest r
LEFT JOIN core.unit_names u ON u.name_key = r.name_key
WHERE r.wrong
GROUP BY r.run, r.test_key
UNION ALL
SELECT
    'unit_conflict', 'error', 'commitments', s.system_key, c.contract || '/' || c.line || '/' || c.phase,
    concat_ws('/', c.contract_key, c.line_key, c.phase_key, c.amendment),
    c._ingest, c._row, c._sheet,
    'line ' || c.contract || '/' || c.line || ' counts in ' || c.unit || ', but ' || s.system_id
        || ' is counted in ' || s.unit || '; it is left out'
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
UNION ALL
SELECT
    'capacity_unknown', 'error', 'bom', s.system_key, s.system_id, s.system_key,
    min(b._ingest), arg_min_null(b._row, (b._ingest, b._row)), arg_min_null(b._sheet, (b._ingest, b._row)),
    'no fitted part of ' || s.system_id || ' has a capacity per unit, so none of its assets counts'
FROM core.systems s
JOIN core.bom_lines b ON b.system_key = s.system_key
ANTI JOIN core.capacity_parts c ON c.system_key = s.system_key
WHERE s.unit_source = 'asset'
GROUP BY s.system_key, s.system_id
