-- table: core.unit_sessions
-- grain: one row is a unit with routing sessions
-- key: system_key, unit_key
-- A console network that is down takes nothing from the service, so out-of-band sessions do not count here.
SELECT
    n.system_key,
    n.unit_key,
    bool_and(d.state = 'up') AS up,
    bool_and(d.fresh) AS fresh,
    count(*) AS n,
    min(d.observed_at) AS observed_at,
    arg_min_null(d._ingest, (d.state = 'up', d.peer_key)) AS _ingest,
    arg_min_null(d._row, (d.state = 'up', d.peer_key)) AS _row,
    arg_min_null(d._sheet, (d.state = 'up', d.peer_key)) AS _sheet
FROM core.unit_names n JOIN core.device_sessions d ON d.device_key = n.name_key
WHERE d.kind IS DISTINCT FROM 'out_of_band' GROUP BY ALL
