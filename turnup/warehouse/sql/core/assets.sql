-- table: core.assets
-- grain: one row is an asset; what its first record leaves out, its other records and the asset it sits in tell
-- key: asset_key
-- located is false for a record whose serial number is in use elsewhere or was replaced: it bears no capacity.
WITH others AS (
    SELECT
        d.asset_key,
        arg_min(r.manufacturer, r.record_key) AS manufacturer,
        arg_min(r.name, r.record_key) AS name,
        arg_min(r.name_key, r.record_key) AS name_key,
        arg_min(r.system_id, r.record_key) AS system_id,
        arg_min(r.system_id_key, r.record_key) AS system_id_key,
        arg_min(r.block, r.record_key) AS block,
        arg_min(r.block_key, r.record_key) AS block_key,
        arg_min(r.site_id, r.record_key) AS site_id,
        arg_min(r.site_id_key, r.record_key) AS site_id_key,
        arg_min(r.rack, r.record_key) AS rack,
        arg_min(r.position, r.record_key) AS position,
        arg_min(r.parent_serial, r.record_key) AS parent_serial,
        arg_min(r.parent_serial_key, r.record_key) AS parent_serial_key,
        arg_min(r.parent_asset, r.record_key) AS parent_asset,
        arg_min(r.parent_asset_key, r.record_key) AS parent_asset_key,
        min(r.staged) AS staged,
        min(r.racked) AS racked,
        min(r.cabled) AS cabled,
        min(r.powered) AS powered,
        min(r.provisioned) AS provisioned
    FROM core.asset_identity d JOIN core.asset_records r ON r.record_key = d.record_key
    WHERE d.record_key <> d.asset_key GROUP BY d.asset_key
),
joined AS (
    SELECT r.* REPLACE (
        coalesce(r.manufacturer, o.manufacturer) AS manufacturer,
        coalesce(r.name, o.name) AS name,
        coalesce(r.name_key, o.name_key) AS name_key,
        coalesce(r.system_id, o.system_id) AS system_id,
        coalesce(r.system_id_key, o.system_id_key) AS system_id_key,
        coalesce(r.block, o.block) AS block,
        coalesce(r.block_key, o.block_key) AS block_key,
        coalesce(r.site_id, o.site_id) AS site_id,
        coalesce(r.site_id_key, o.site_id_key) AS site_id_key,
        coalesce(r.rack, o.rack) AS rack,
        coalesce(r.position, o.position) AS position,
        coalesce(r.parent_serial, o.parent_serial) AS parent_serial,
        coalesce(r.parent_serial_key, o.parent_serial_key) AS parent_serial_key,
        coalesce(r.parent_asset, o.parent_asset) AS parent_asset,
        coalesce(r.parent_asset_key, o.parent_asset_key) AS parent_asset_key,
        coalesce(r.staged, o.staged) AS staged,
        coalesce(r.racked, o.racked) AS racked,
        coalesce(r.cabled, o.cabled) AS cabled,
        coalesce(r.powered, o.powered) AS powered,
        coalesce(r.provisioned, o.provisioned) AS provisioned
    )
    FROM core.asset_records r
    JOIN core.asset_identity d ON d.record_key = r.record_key AND d.asset_key = r.record_key
    LEFT JOIN others o ON o.asset_key = r.record_key
),
parents AS (
    SELECT 'asset' AS kind, parent_asset_key AS name FROM joined
    UNION SELECT 'asset', short_name(parent_asset_key) FROM joined WHERE parent_asset_key IS NOT NULL
    UNION SELECT 'serial', parent_serial_key FROM joined
),
hosts AS (
    SELECT kind, name, arg_min(system_id, record_key) AS system_id, arg_min(system_id_key, record_key) AS system_id_key,
        arg_min(block, record_key) AS block, arg_min(block_key, record_key) AS block_key,
        arg_min(site_id, record_key) AS site_id, arg_min(site_id_key, record_key) AS site_id_key,
        arg_min(rack, record_key) AS rack
    FROM (
        SELECT 'asset' AS kind, j.* REPLACE (d.record_key AS name) FROM joined j
            JOIN core.asset_identity d ON d.asset_key = j.record_key
        UNION ALL SELECT 'asset', * REPLACE (short_name AS name) FROM joined WHERE short_name IS NOT NULL
        UNION ALL SELECT 'serial', * REPLACE (serial_key AS name) FROM joined WHERE serial_key IS NOT NULL
    ) SEMI JOIN parents USING (kind, name)
    GROUP BY ALL HAVING count(DISTINCT record_key) = 1
)
SELECT
    j.record_key AS asset_key,
    j.* EXCLUDE (record_key) REPLACE (
        coalesce(j.system_id, a.system_id, n.system_id, s.system_id) AS system_id,
        coalesce(j.system_id_key, a.system_id_key, n.system_id_key, s.system_id_key) AS system_id_key,
        coalesce(j.block, a.block, n.block, s.block) AS block,
        coalesce(j.block_key, a.block_key, n.block_key, s.block_key) AS block_key,
        coalesce(j.site_id, a.site_id, n.site_id, s.site_id) AS site_id,
        coalesce(j.site_id_key, a.site_id_key, n.site_id_key, s.site_id_key) AS site_id_key,
        coalesce(j.rack, a.rack, n.rack, s.rack) AS rack
    ),
    coalesce(p.active, true) AS located
FROM joined j
LEFT JOIN hosts a ON a.kind = 'asset' AND a.name = j.parent_asset_key
LEFT JOIN hosts n ON n.kind = 'asset' AND n.name = short_name(j.parent_asset_key)
LEFT JOIN hosts s ON s.kind = 'serial' AND s.name = j.parent_serial_key
LEFT JOIN core.serial_places p ON p.asset_key = j.record_key
