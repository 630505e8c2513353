-- table: core.asset_identity
-- grain: one row is a record of an asset, with the asset that it is of
-- key: record_key
-- One asset is one (manufacturer, serial number). Records of it are joined when each source has one and none says
-- something else about its place, name or parent; what disagrees stays apart and is a conflict. Where one record names
-- no manufacturer, the serial number alone decides, and so does the name when all records bear it.
WITH spread AS (
    SELECT
        serial_key,
        count(DISTINCT maker_key) AS makers,
        count(*) = count(short_name) AND count(DISTINCT short_name) = 1 AS one_name
    FROM core.asset_records
    WHERE serial_key IN (SELECT serial_key FROM core.asset_records GROUP BY ALL HAVING count(*) > 1)
    GROUP BY ALL
),
grouped AS (
    SELECT
        r.*,
        CASE
            WHEN s.makers > 1 AND NOT s.one_name THEN coalesce(r.maker_key, '') || chr(31) || r.serial_key
            ELSE r.serial_key
        END AS identity_key
    FROM core.asset_records r LEFT JOIN spread s ON s.serial_key = r.serial_key
),
repeated AS (SELECT identity_key FROM grouped WHERE identity_key IS NOT NULL GROUP BY ALL HAVING count(*) > 1),
judged AS (
    SELECT
        identity_key,
        count(*) = count(DISTINCT _ingest)
            AND count(DISTINCT site_id_key) <= 1 AND count(DISTINCT rack_key) <= 1
            AND count(DISTINCT short_name) <= 1 AND count(DISTINCT parent_serial_key) <= 1 AS one_asset
    FROM grouped SEMI JOIN repeated USING (identity_key) GROUP BY ALL
),
joined AS (
    SELECT
        g.record_key,
        first_value(g.record_key) OVER (
            PARTITION BY g.identity_key
            ORDER BY g.system_id_key IS NULL, g.name_key IS NULL, g.received_at DESC NULLS LAST, g.record_key
        ) AS asset_key
    FROM grouped g JOIN judged j ON j.identity_key = g.identity_key AND j.one_asset
)
SELECT
    g.record_key,
    g.identity_key,
    coalesce(j.asset_key, g.record_key) AS asset_key
FROM grouped g LEFT JOIN joined j ON j.record_key = g.record_key
