-- table: mart.revalidations
-- grain: one row is an accepted unit with a component that changed after its tests
-- key: system_id, unit_key, component
SELECT
    y.system_id, r.unit_key, r.unit_id, r.component_key AS component, r.version_before, r.version, r.changed_at,
    r.tested_at, r._ingest, r._row, r._sheet
FROM core.revalidations r JOIN core.systems y ON y.system_key = r.system_key
