-- table: mart.serial_flow
-- grain: one row is a site and a state of serial numbers between announcement and register; each number counts once
-- key: site_key, state
SELECT
    coalesce(t.site_key, '') AS site_key, min(s.site_id) AS site_id, t.state, count(*)::INTEGER AS serials,
    min(t.serial_key) AS example
FROM core.serial_trace t
LEFT JOIN (SELECT site_id_key, min(site_id) AS site_id FROM stg.sites GROUP BY ALL) s ON s.site_id_key = t.site_key
GROUP BY coalesce(t.site_key, ''), t.state
