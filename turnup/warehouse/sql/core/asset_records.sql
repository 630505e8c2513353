-- table: core.asset_records
-- grain: one row is a record of an asset, as the newest delivery tells it
-- key: record_key
-- Two registers may each have a record of the same piece: core.asset_identity says which records are one asset.
WITH repeated AS (SELECT asset_id_key FROM stg.installs GROUP BY ALL HAVING count(*) > 1),
received AS (SELECT _ingest, max(received_at) AS received_at FROM meta.ingests GROUP BY ALL),
older AS (
    SELECT i.rowid AS row_id
    FROM stg.installs i
    JOIN repeated r ON r.asset_id_key = i.asset_id_key
    LEFT JOIN received m ON m._ingest = i._ingest
    QUALIFY row_number() OVER (
        PARTITION BY i.asset_id_key ORDER BY m.received_at DESC NULLS LAST, i._ingest, i._sheet, i._row
    ) > 1
)
SELECT
    i.asset_id_key AS record_key,
    i.*,
    m.received_at,
    nullif(lower(trim(i.manufacturer)), '') AS maker_key,
    nullif(regexp_replace(lower(i.rack), '[^a-z0-9]', '', 'g'), '') AS rack_key,
    short_name(i.name_key) AS short_name
FROM stg.installs i
ANTI JOIN older o ON o.row_id = i.rowid
LEFT JOIN received m ON m._ingest = i._ingest
