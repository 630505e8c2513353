-- table: core.devices
-- grain: one row is an asset that is installed by itself: it bears a name of its own, or capacity
-- key: asset_key
-- Modules inside a device go with it. A day after the data date has not happened.
SELECT
    a.asset_key,
    coalesce(a.name, a.serial, a.asset_id) AS device,
    a.asset_id,
    a.serial_key,
    a.name_key,
    a.part_number,
    a.part_number_key AS part_key,
    a.system_id_key AS system_key,
    s.system_id,
    a.block_key,
    a.site_id_key AS site_key,
    coalesce(a.site_id, '(no site)') AS site_id,
    coalesce(nullif(trim(a.crew), ''), '(no crew)') AS crew,
    coalesce(a.purpose, 'production') AS purpose,
    a.status,
    CASE WHEN a.staged <= p.as_of THEN a.staged END AS staged,
    CASE WHEN a.racked <= p.as_of THEN a.racked END AS racked,
    CASE WHEN a.cabled <= p.as_of THEN a.cabled END AS cabled,
    CASE WHEN a.powered <= p.as_of THEN a.powered END AS powered,
    CASE WHEN a.provisioned <= p.as_of THEN a.provisioned END AS provisioned,
    a.planned_rack,
    a.planned_position,
    a.rack,
    a.position,
    c.capacity_per_unit,
    a._ingest,
    a._row,
    a._sheet
FROM core.assets a
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = a.system_id_key
LEFT JOIN core.capacity_parts c ON c.system_key = a.system_id_key AND c.part_key = a.part_number_key
WHERE a.located AND a.status <> 'decommissioning' AND (a.name_key IS NOT NULL OR c.part_key IS NOT NULL)
