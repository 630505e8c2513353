-- table: core.serial_places
-- grain: one row is a place in which a serial number is said to be, where several records disagree or it was replaced
-- key: asset_key
-- One place is active for each (manufacturer, serial number): one that is in use goes before one that is planned or in
-- stock, then the newest record. A return that names old and new serial number closes the old one, once the new one is
-- recorded, unless the old one was racked again later.
WITH replaced AS (
    SELECT f.serial_key, max(coalesce(f.closed, f.opened)) AS replaced_on, max(f.replaced_serial) AS replaced_by
    FROM stg.failures f CROSS JOIN core.settings p
    WHERE f.serial_key IS NOT NULL AND f.replaced_serial_key <> f.serial_key
        AND coalesce(f.closed, f.opened) <= p.as_of
        AND f.replaced_serial_key IN (SELECT serial_key FROM core.asset_records WHERE serial_key IS NOT NULL)
    GROUP BY f.serial_key
),
repeated AS (
    SELECT identity_key FROM core.asset_identity
    WHERE identity_key IS NOT NULL AND asset_key = record_key GROUP BY ALL HAVING count(*) > 1
),
records AS (
    SELECT
        d.identity_key, r.*,
        CASE WHEN coalesce(r.racked <= x.replaced_on, true) THEN x.replaced_on END AS replaced_on,
        CASE WHEN coalesce(r.racked <= x.replaced_on, true) THEN x.replaced_by END AS replaced_by
    FROM core.asset_identity d
    JOIN core.asset_records r ON r.record_key = d.record_key
    LEFT JOIN replaced x ON x.serial_key = r.serial_key
    WHERE d.identity_key IS NOT NULL AND d.asset_key = d.record_key
        AND (x.serial_key IS NOT NULL OR d.identity_key IN (SELECT identity_key FROM repeated))
),
ranked AS (
    SELECT
        *,
        count(*) FILTER (replaced_on IS NULL AND status <> 'decommissioning') OVER (PARTITION BY identity_key) AS places,
        row_number() OVER (
            PARTITION BY identity_key
            ORDER BY
                replaced_on IS NOT NULL, status = 'decommissioning', status IN ('planned', 'inventory'),
                received_at DESC NULLS LAST, racked DESC NULLS LAST, record_key
        ) = 1 AS newest
    FROM records
)
SELECT
    record_key AS asset_key,
    identity_key,
    manufacturer,
    serial,
    serial_key,
    part_number,
    asset_id,
    name,
    site_id,
    rack,
    position,
    parent_serial,
    parent_asset,
    status,
    system_id_key AS system_key,
    newest AND replaced_on IS NULL AND status <> 'decommissioning' AS active,
    places > 1 AND replaced_on IS NULL AND status <> 'decommissioning' AS conflict,
    replaced_on,
    replaced_by,
    _ingest,
    _row,
    _sheet
FROM ranked
WHERE replaced_on IS NOT NULL OR places > 1
    OR identity_key IN (SELECT identity_key FROM repeated)
