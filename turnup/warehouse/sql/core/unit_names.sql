-- table: core.unit_names
-- grain: one row is a name under which a unit may appear in node-level data
-- key: system_key, unit_key, name_key
SELECT DISTINCT system_key, unit_key, name_key
FROM (
    SELECT system_key, unit_key, node_key AS name_key FROM core.units
    UNION ALL
    SELECT system_key, unit_key, name_key FROM core.units
)
WHERE name_key IS NOT NULL
