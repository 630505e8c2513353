-- table: core.asset_units
-- grain: one row is a unit with the dates and the place of its install record, where it has one
-- key: system_key, unit_key
SELECT
    u.*,
    i.racked,
    i.cabled,
    i.powered,
    i.provisioned,
    i.status,
    i.rack,
    i.claimed_percent,
    i.site_id_key AS asset_site,
    s.site_key
FROM core.units u
JOIN core.systems s ON s.system_key = u.system_key
LEFT JOIN core.assets i ON i.asset_key = u.asset_key
