-- table: core.found_dependencies
-- grain: one row is a finding on systems that need each other
-- key: code, item
SELECT
    'dependency_loop' AS code, 'error' AS severity, 'dependencies' AS dataset, l.system_key,
    l.system_id AS subject, l.loop_key AS item, n._ingest, n._row, n._sheet,
    l.chain || ': none of them can be ready before the others; name the gates that leave room for both, or take a row out'
        AS message
FROM core.need_loops l
LEFT JOIN (
    SELECT system_key, arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.needs GROUP BY system_key
) n ON n.system_key = l.system_key
