-- ---
-- title: Where planned
-- unit: share
-- definition: Share of the placed devices with a plan that stand in the rack and position planned. A device without a
--   rack or position in the register does not count as there.
-- formula: devices as planned / placed devices with a plan
-- aggregate: ratio
-- spread: system
-- ---
SELECT
    d.system_key, d.system_id, d.asset_key AS unit_key, d.device AS unit_id, d.block_key,
    (d.state = 'as planned')::INTEGER AS value, 1 AS weight,
    'installs' AS dataset, d._ingest, d._row, d._sheet, d.racked::TIMESTAMP AS observed_at,
    d.state || ': planned ' || concat_ws(' ', d.planned_rack, d.planned_position) || ', is '
        || coalesce(nullif(concat_ws(' ', d.rack, d.position), ''), 'not told') AS note
FROM core.device_positions d
WHERE d.system_id IS NOT NULL AND d.state NOT IN ('not placed', 'no plan')
