-- table: core.unit_links
-- grain: one row is a unit with planned cables
-- key: system_key, unit_key
WITH ends AS (
    SELECT a_device_key AS device_key, * EXCLUDE (a_device_key, b_device_key, system_key) FROM core.link_pairs WHERE planned
    UNION ALL
    SELECT b_device_key, * EXCLUDE (a_device_key, b_device_key, system_key)
    FROM core.link_pairs WHERE planned AND b_device_key <> a_device_key
),
cables AS (
    SELECT DISTINCT n.system_key, n.unit_key, e.low_end, e.high_end, e.up, e.observed, e.observed_at, e._ingest, e._row, e._sheet
    FROM core.unit_names n
    JOIN ends e ON e.device_key = n.name_key
)
SELECT
    system_key,
    unit_key,
    count(*) AS planned,
    count(*) FILTER (up) AS up,
    count(*) FILTER (observed) AS observed,
    max(observed_at) AS observed_at,
    arg_min_null(_ingest, (up, _ingest, _row)) AS _ingest,
    arg_min_null(_row, (up, _ingest, _row)) AS _row,
    arg_min_null(_sheet, (up, _ingest, _row)) AS _sheet
FROM cables
GROUP BY system_key, unit_key
