-- table: core.unit_cables
-- grain: one row is a unit and a planned cable of it
-- key: system_key, unit_key, low_end, high_end
WITH ends AS (
    SELECT a_device_key AS device_key, * EXCLUDE (a_device_key, b_device_key, system_key) FROM core.link_pairs
        WHERE planned
    UNION ALL
    SELECT b_device_key, * EXCLUDE (a_device_key, b_device_key, system_key)
    FROM core.link_pairs WHERE planned AND b_device_key <> a_device_key
)
SELECT DISTINCT
    n.system_key,
    n.unit_key,
    e.low_end,
    e.high_end,
    e.link_id,
    e.up,
    e.observed,
    e.observed_state,
    e.observed_at,
    coalesce(h.unsound, false) AS unsound,
    h.faults,
    e._ingest,
    e._row,
    e._sheet
FROM core.unit_names n
JOIN ends e ON e.device_key = n.name_key
LEFT JOIN core.link_health h ON h.low_end = e.low_end AND h.high_end = e.high_end
