-- table: core.unit_links
-- grain: one row is a unit with planned cables
-- key: system_key, unit_key
SELECT
    system_key,
    unit_key,
    count(*) AS planned,
    count(*) FILTER (up) AS up,
    count(*) FILTER (observed) AS observed,
    count(*) FILTER (up AND NOT unsound) AS sound,
    min(link_id || ' ' || faults) FILTER (up AND unsound) AS unsound_for,
    max(observed_at) AS observed_at,
    arg_min_null(_ingest, (up AND NOT unsound, low_end, high_end)) AS _ingest,
    arg_min_null(_row, (up AND NOT unsound, low_end, high_end)) AS _row,
    arg_min_null(_sheet, (up AND NOT unsound, low_end, high_end)) AS _sheet
FROM core.unit_cables
GROUP BY system_key, unit_key
