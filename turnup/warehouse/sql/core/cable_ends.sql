-- table: core.cable_ends
-- grain: one row is an end of a cable: a port, in the plan or as observed
-- key: view, low_end, high_end, end_key
-- A cable written from both of its ends has two ends here, not four. What is known of the place comes from the first row
-- that says it.
WITH both_ends AS (
    SELECT
        "view", low_end, high_end, system_id_key AS system_key, one AS end_key, a_name AS device_key,
        a_device AS device, a_port AS port, a_role AS role, a_cage AS cage, media, _ingest, _row, _sheet
    FROM core.link_ends WHERE coalesce(state, 'up') <> 'absent'
    UNION ALL
    SELECT
        "view", low_end, high_end, system_id_key, other, b_name, b_device, b_port, b_role, b_cage, media,
        _ingest, _row, _sheet
    FROM core.link_ends WHERE coalesce(state, 'up') <> 'absent'
)
SELECT
    "view", low_end, high_end, end_key,
    min(system_key) AS system_key,
    any_value(device_key) AS device_key,
    arg_min_null(device, (_ingest, _row, device)) AS device,
    arg_min_null(port, (_ingest, _row, port)) AS port,
    arg_min(role, (_ingest, _row)) AS role,
    coalesce(lower(trim(arg_min(cage, (_ingest, _row)))), any_value(end_key)) AS cage_key,
    arg_min(media, (_ingest, _row)) AS media,
    arg_min_null(_ingest, (_ingest, _row)) AS _ingest,
    arg_min_null(_row, (_ingest, _row)) AS _row,
    arg_min_null(_sheet, (_ingest, _row)) AS _sheet
FROM both_ends
GROUP BY "view", low_end, high_end, end_key
