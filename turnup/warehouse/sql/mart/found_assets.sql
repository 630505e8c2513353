-- table: core.found_assets
-- grain: one row is a contradiction about an asset or a serial number
-- key: code, item
-- planned_but_connected: a device that is still planned while a cable of it is connected. serial_conflict: one serial
-- number on several assets, or received at several sites.
WITH connected AS (
    SELECT device_key, count(*) AS cables
    FROM (
        SELECT a_device_key AS device_key, * FROM core.link_pairs
        UNION ALL
        SELECT b_device_key, * FROM core.link_pairs WHERE b_device_key <> a_device_key
    )
    WHERE coalesce(observed_state, planned_state) IN ('connected', 'up') OR claimed_state IN ('connected', 'up')
    GROUP BY device_key
),
serials AS (
    SELECT
        serial_key, min(serial) AS serial, count(DISTINCT asset_id_key) AS assets,
        min(system_id_key) AS system_key,
        string_agg(DISTINCT coalesce(name, asset_id), ', ' ORDER BY coalesce(name, asset_id)) AS names,
        arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM stg.installs WHERE serial_key IS NOT NULL GROUP BY serial_key HAVING count(DISTINCT asset_id_key) > 1
),
received AS (
    SELECT serial_key, count(DISTINCT site_key) AS sites, string_agg(DISTINCT site_key, ', ' ORDER BY site_key) AS names
    FROM core.receipt_serials WHERE place = 'site' GROUP BY serial_key HAVING count(DISTINCT site_key) > 1
)
SELECT
    'planned_but_connected' AS code, 'warning' AS severity, 'installs' AS dataset, i.system_id_key AS system_key,
    i.name AS subject, i.name_key AS item, i._ingest, i._row, i._sheet,
    i.name || ' is planned, yet ' || c.cables || ' of its cables are connected' AS message
FROM stg.installs i JOIN connected c ON c.device_key = i.name_key
WHERE i.status = 'planned'
QUALIFY row_number() OVER (PARTITION BY i.name_key ORDER BY i._ingest, i._sheet, i._row) = 1
UNION ALL
SELECT
    'serial_conflict', 'error', 'installs', system_key, serial, serial_key, _ingest, _row, _sheet,
    'serial ' || serial || ' is on ' || assets || ' assets: ' || names
FROM serials
UNION ALL
SELECT
    'serial_conflict', 'error', 'receipts', NULL, r.serial_key, r.serial_key || '/receipts', NULL, NULL, NULL,
    'serial ' || r.serial_key || ' was received at ' || r.sites || ' sites: ' || r.names
FROM received r
