-- table: core.unit_software
-- grain: one row is a component whose version is laid down for a unit
-- key: system_key, unit_key, component_key
-- The version that names the system stands before the one that names the SKU, and that before the one for all.
WITH wanted AS (
    SELECT u.system_key, u.unit_key, u.unit_id, g.component_key, g.versions, g.source
    FROM core.units u
    JOIN core.golden g ON g.system_key IN ('*', u.system_key)
    LEFT JOIN core.subject_skus k ON k.subject_no = hash(u.system_key, u.unit_key) AND k.sku_key = g.sku_key
    WHERE g.sku_key = '*' OR k.sku_key IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY u.system_key, u.unit_key, g.component_key
        ORDER BY g.system_key = '*', g.sku_key = '*', g.golden_no DESC) = 1
),
found AS (
    SELECT n.system_key, n.unit_key, v.*
    FROM core.unit_names n JOIN core.node_versions v ON v.name_key = n.name_key
    QUALIFY row_number() OVER (
        PARTITION BY n.system_key, n.unit_key, v.component_key ORDER BY v.observed_at DESC, v.name_key) = 1
)
SELECT
    w.system_key,
    w.unit_key,
    w.unit_id,
    w.component_key,
    array_to_string(w.versions, ' or ') AS golden,
    w.source,
    f.version,
    f.observed_at,
    CASE WHEN f.version IS NULL THEN 'no data' WHEN list_contains(w.versions, f.version) THEN 'ok' ELSE 'drift' END
        AS state,
    f._ingest,
    f._row,
    f._sheet
FROM wanted w
LEFT JOIN found f
    ON f.system_key = w.system_key AND f.unit_key = w.unit_key AND f.component_key = w.component_key
