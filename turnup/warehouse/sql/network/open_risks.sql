-- table: core.open_risks
-- grain: one row is an open risk with a probability and days of impact
-- key: id
SELECT
    r.id,
    r.title,
    r.system_id,
    r.system_id_key AS system_key,
    lower(trim(r.gate)) AS gate,
    r.probability::DOUBLE AS probability,
    r.impact_days::DOUBLE AS impact_days,
    r.owner
FROM stg.raid r
CROSS JOIN core.settings p
WHERE r.type = 'risk' AND r.opened <= p.as_of AND (r.closed IS NULL OR r.closed > p.as_of)
  AND r.probability > 0 AND r.impact_days > 0
QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row) = 1
