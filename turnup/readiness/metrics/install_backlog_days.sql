-- ---
-- title: Oldest of the install backlog
-- unit: days
-- definition: Days for which the device that waits longest has waited for its next step; devices of unknown age apart.
-- formula: maximum over waiting devices of data date - day of their last step
-- aggregate: max
-- spread: system
-- ---
SELECT
    w.system_key, w.system_id, w.asset_key AS unit_key, w.device AS unit_id, w.block_key, w.age_days AS value, 1 AS weight,
    'installs' AS dataset, w._ingest, w._row, w._sheet, w.since::TIMESTAMP AS observed_at,
    'waits to be ' || w.step || ' since ' || w.since AS note
FROM core.install_waits w
WHERE w.system_id IS NOT NULL AND w.age_days IS NOT NULL
