-- table: mart.software_drift
-- grain: one row is a unit with another version of a component than is laid down
-- key: system_id, unit_key, component
SELECT
    y.system_id, u.unit_key, u.unit_id, u.component_key AS component, u.version, u.golden, u.observed_at,
    u._ingest, u._row, u._sheet
FROM core.unit_software u JOIN core.systems y ON y.system_key = u.system_key
WHERE u.state = 'drift'
