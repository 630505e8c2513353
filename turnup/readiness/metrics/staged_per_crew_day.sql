-- ---
-- title: Staged per crew and day
-- unit: devices
-- definition: Devices that a crew had staged on a day on which it had any of them staged, over the last 28 days.
-- formula: devices staged / days of crews on which any was
-- aggregate: ratio
-- spread: system
-- ---
SELECT
    c.system_key, c.system_id, c.site_id || ' ' || c.crew AS unit_key, c.crew || ' ' || c.done_on AS unit_id,
    NULL AS block_key, c.devices AS value, 1 AS weight,
    'installs' AS dataset, c._ingest, c._row, c._sheet, c.done_on::TIMESTAMP AS observed_at,
    c.crew || ' at ' || c.site_id || ': ' || c.devices || ' staged on ' || c.done_on AS note
FROM core.crew_days c
CROSS JOIN core.settings p
WHERE c.step = 'staged' AND c.system_id IS NOT NULL AND c.done_on > p.as_of - p.rate_days
