-- table: core.found_assets
-- grain: one row is a contradiction about an asset or a serial number
-- key: code, item
-- planned_but_connected: a device that is still planned while a cable of it is connected. serial_conflict: one serial
-- number of one maker on several assets (core.serial_places lists them), or received at several sites.
-- replacement_not_recorded: a return names a new serial number that no record of an asset has.
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
        identity_key, any_value(serial_key) AS serial_key, min(serial) AS serial, count(*) AS assets,
        min(system_key) AS system_key,
        string_agg(DISTINCT coalesce(name, asset_id), ', ' ORDER BY coalesce(name, asset_id)) AS names,
        count(*) FILTER (active) AS active,
        arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.serial_places WHERE conflict GROUP BY identity_key
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
    'serial_conflict', 'error', 'installs', system_key, serial, replace(identity_key, chr(31), '/'), _ingest, _row, _sheet,
    'serial ' || serial || ' is on ' || assets || ' assets: ' || names
FROM serials
UNION ALL
SELECT
    'serial_conflict', 'error', 'receipts', NULL, r.serial_key, r.serial_key || '/receipts', NULL, NULL, NULL,
    'serial ' || r.serial_key || ' was received at ' || r.sites || ' sites: ' || r.names
FROM received r
UNION ALL
SELECT
    'replacement_not_recorded', 'warning', 'failures', f.system_id_key, f.failure_id, f.failure_id_key, f._ingest,
    f._row, f._sheet,
    f.failure_id || ' replaced ' || f.serial || ' by ' || f.replaced_serial || ', which no record of an asset has'
FROM stg.failures f
WHERE f.replaced_serial_key IS NOT NULL AND f.serial_key IN (SELECT serial_key FROM stg.installs)
    AND f.replaced_serial_key NOT IN (SELECT serial_key FROM stg.installs WHERE serial_key IS NOT NULL)
QUALIFY row_number() OVER (PARTITION BY f.failure_id_key ORDER BY f._ingest, f._sheet, f._row) = 1
