-- table: core.crew_days
-- grain: one row is a day on which a crew did a step of installation on devices of a system
-- key: done_on, site_id, crew, system_key, step
SELECT
    done_on,
    site_id,
    crew,
    coalesce(system_key, '') AS system_key,
    any_value(system_id) AS system_id,
    step,
    any_value(step_no) AS step_no,
    count(*)::INTEGER AS devices,
    arg_min_null(_ingest, (_ingest, _row)) AS _ingest,
    arg_min_null(_row, (_ingest, _row)) AS _row,
    arg_min_null(_sheet, (_ingest, _row)) AS _sheet
FROM core.install_steps
GROUP BY done_on, site_id, crew, coalesce(system_key, ''), step
