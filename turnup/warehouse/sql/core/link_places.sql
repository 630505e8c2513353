-- table: core.link_places
-- grain: one row is a place that the cable plans give a device, or a module of it
-- key: device_key, module, place_key
-- The modules of a chassis may stand at heights of their own, so a position counts with the module it was said for.
WITH said AS (
    SELECT
        a_device_key AS device_key, a_device AS device, a_port AS port, a_rack AS rack, a_position AS "position",
        system_id_key AS system_key, "view", _ingest, _row, _sheet
    FROM stg.links
    UNION ALL
    SELECT b_device_key, b_device, b_port, b_rack, b_position, system_id_key, "view", _ingest, _row, _sheet
    FROM stg.links
),
placed AS (
    SELECT
        *,
        lower(regexp_extract(port, '^(?i)((?:blade|module|line ?card|lc|leaf|spine|slot|fpc)[ _-]?\d+)', 1)) AS module,
        trim(concat_ws(' ', rack, "position")) AS place
    FROM said WHERE "view" = 'planned' AND (rack IS NOT NULL OR "position" IS NOT NULL)
)
SELECT
    device_key,
    module,
    lower(place) AS place_key,
    min(place) AS place,
    min(device) AS device,
    min(rack) AS rack,
    min("position") AS "position",
    min(system_key) AS system_key,
    count(*) AS rows,
    arg_min_null(_ingest, (_ingest, _row)) AS _ingest,
    arg_min_null(_row, (_ingest, _row)) AS _row,
    arg_min_null(_sheet, (_ingest, _row)) AS _sheet
FROM placed
GROUP BY device_key, module, lower(place)
