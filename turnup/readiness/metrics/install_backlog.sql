-- ---
-- title: Install backlog
-- unit: devices
-- definition: Production devices on site that wait for their next step of installation.
-- formula: count of devices with a step behind them, or in stock, and one to come
-- aggregate: sum
-- spread: system
-- ---
SELECT
    w.system_key, w.system_id, w.asset_key AS unit_key, w.device AS unit_id, w.block_key, 1 AS value, 1 AS weight,
    'installs' AS dataset, w._ingest, w._row, w._sheet, w.since::TIMESTAMP AS observed_at,
    'waits to be ' || w.step || coalesce(' since ' || w.since || ', ' || w.age_days || ' days', ', age unknown') AS note
FROM core.install_waits w
WHERE w.system_id IS NOT NULL
