-- table: core.assets
-- grain: one row is an asset as its newest record tells it
-- key: asset_key
SELECT i.asset_id_key AS asset_key, i.*
FROM stg.installs i
QUALIFY row_number() OVER (PARTITION BY i.asset_id_key ORDER BY i._ingest, i._sheet, i._row) = 1
