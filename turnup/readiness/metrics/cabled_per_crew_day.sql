-- ---
-- title: Cabled per crew and day
-- unit: devices
-- definition: Devices that a crew had cabled on a day on which it had any of them cabled, over the last 28 days.
-- formula: devices cabled / days of crews on which any was
-- aggregate: ratio
-- spread: system
-- ---
SELECT
    c.system_key, c.system_id, c.site_id || ' ' || c.crew AS unit_key, c.crew || ' ' || c.done_on AS unit_id,
    NULL AS block_key, c.devices AS value, 1 AS weight,
    'installs' AS dataset, c._ingest, c._row, c._sheet, c.done_on::TIMESTAMP AS observed_at,
    c.crew || ' at ' || c.site_id || ': ' || c.devices || ' cabled on ' || c.done_on AS note
FROM core.crew_days c
CROSS JOIN core.settings p
WHERE c.step = 'cabled' AND c.system_id IS NOT NULL AND c.done_on > p.as_of - p.rate_days
