-- table: core.found_cables
-- grain: one row is a contradiction within the cable plans: a port, a place or a name that is used for several things
-- key: code, item
WITH ports AS (
    SELECT
        device_key, end_key, count(*) AS cables, min(device) AS device, min(port) AS port,
        min(system_key) AS system_key, arg_min_null(_ingest, (_ingest, _row)) AS _ingest,
        arg_min_null(_row, (_ingest, _row)) AS _row, arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.cable_ends WHERE "view" = 'planned' GROUP BY ALL HAVING count(*) > 1
),
scattered AS (
    SELECT
        device_key, module, min(device) AS device, min(system_key) AS system_key, count(*) AS places,
        string_agg(place, ', ' ORDER BY _ingest, _row, place) AS names,
        arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.link_places GROUP BY device_key, module HAVING count(*) > 1
    QUALIFY row_number() OVER (PARTITION BY device_key ORDER BY module) = 1
),
shared AS (
    SELECT
        place_key, min(place) AS place, min(system_key) AS system_key, count(DISTINCT device_key) AS devices,
        string_agg(DISTINCT device, ', ' ORDER BY device) AS names,
        arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.link_places WHERE rack IS NOT NULL AND "position" IS NOT NULL
    GROUP BY place_key HAVING count(DISTINCT device_key) > 1
),
spelled AS (
    SELECT
        device_key, min(device) AS one, max(device) AS other, min(system_key) AS system_key,
        arg_min_null(_ingest, ("view" <> 'observed', _ingest, _row)) AS _ingest,
        arg_min_null(_row, ("view" <> 'observed', _ingest, _row)) AS _row,
        arg_min_null(_sheet, ("view" <> 'observed', _ingest, _row)) AS _sheet
    FROM core.cable_ends GROUP BY device_key
    HAVING count(DISTINCT device) > 1 AND count(DISTINCT "view") > 1
)
SELECT
    'port_used_twice' AS code, 'warning' AS severity, 'links' AS dataset, min(system_key) AS system_key,
    min(device) AS subject, device_key AS item,
    arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
    arg_min_null(_sheet, (_ingest, _row)) AS _sheet,
    count(*) || ' ports of ' || min(device) || ' are an end of several planned cables (first '
        || arg_min(port, (_ingest, _row, port)) || ')' AS message
FROM ports GROUP BY device_key
UNION ALL
SELECT
    'device_in_several_places', 'warning', 'links', system_key, device, device_key, _ingest, _row, _sheet,
    device || ' is planned in ' || places || ' places: ' || names
FROM scattered
UNION ALL
SELECT
    'place_with_several_devices', 'warning', 'links', system_key, place, place_key, _ingest, _row, _sheet,
    place || ' is planned to hold ' || devices || ' devices: ' || names
FROM shared
UNION ALL
SELECT
    'name_case', 'info', 'links', min(system_key), arg_min(one, device_key), 'links',
    arg_min_null(_ingest, device_key), arg_min_null(_row, device_key), arg_min_null(_sheet, device_key),
    count(*) || ' devices are spelled otherwise in the plan than where they were discovered (first '
        || arg_min(one || ' / ' || other, device_key) || '); they are taken as the same'
FROM spelled HAVING count(*) > 0
