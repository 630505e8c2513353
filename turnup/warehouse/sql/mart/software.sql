-- table: mart.software
-- grain: one row is a component whose version is laid down for a system
-- key: system_id, component
SELECT
    y.system_id,
    u.component_key AS component,
    min(u.golden) AS golden,
    count(*) AS units,
    count(*) FILTER (u.state = 'ok') AS ok,
    count(*) FILTER (u.state = 'drift') AS drift,
    count(*) FILTER (u.state = 'no data') AS no_data,
    string_agg(DISTINCT u.version, ', ' ORDER BY u.version) FILTER (u.state = 'drift') AS found,
    min(u.source) AS source
FROM core.unit_software u JOIN core.systems y ON y.system_key = u.system_key
GROUP BY ALL
