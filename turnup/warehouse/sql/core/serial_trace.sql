-- table: core.serial_trace
-- grain: one row is a serial number that any document names, with which of announced, received and recorded it is
-- key: serial_key
-- Received is at a site, elsewhere counts apart. Recorded is in the register of assets and not planned.
WITH told AS (
    SELECT serial_key, 'announced' AS what, site_key FROM core.shipment_serials
    UNION ALL
    SELECT serial_key, CASE place WHEN 'site' THEN 'received' ELSE 'held' END, site_key
    FROM core.receipt_serials r CROSS JOIN core.settings p WHERE r.received <= p.as_of
    UNION ALL
    SELECT serial_key, CASE WHEN status = 'planned' THEN 'planned' ELSE 'recorded' END, site_id_key
    FROM core.asset_records WHERE serial_key IS NOT NULL
)
SELECT
    serial_key,
    coalesce(
        min(site_key) FILTER (what = 'recorded'), min(site_key) FILTER (what = 'received'), min(site_key)) AS site_key,
    count(*) FILTER (what = 'announced')::INTEGER AS announced,
    count(*) FILTER (what = 'held')::INTEGER AS held,
    count(*) FILTER (what = 'received')::INTEGER AS received,
    count(*) FILTER (what = 'recorded')::INTEGER AS recorded,
    CASE
        WHEN recorded > 0 AND received > 0 THEN 'received and recorded'
        WHEN recorded > 0 AND announced > 0 THEN 'recorded, announced, never received'
        WHEN recorded > 0 THEN 'recorded only'
        WHEN received > 0 THEN 'received, not recorded'
        WHEN held > 0 THEN 'at a warehouse or integrator'
        WHEN announced > 0 THEN 'announced, not received'
        ELSE 'planned only'
    END AS state
FROM told
GROUP BY serial_key
