-- ---
-- title: L1-valid
-- unit: capacity
-- definition: "Powered units whose planned links are all observed up at the planned speed."
-- formula: sum of capacity of units with this and every earlier stage, capped
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    system_key, system_id, unit_key, unit_id, block_key, value, 1 AS weight,
    dataset, _ingest, _row, _sheet, observed_at, note
FROM core.stage_evidence
WHERE stage = 'l1_valid'
