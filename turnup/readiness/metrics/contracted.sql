-- ---
-- title: Contracted
-- unit: capacity
-- definition: "Quantity of the commitment lines in force: signed, latest amendment, options only when exercised, in
--   the unit of the kind."
-- formula: sum of quantity over commitment lines in force
-- aggregate: sum
-- spread: system
-- ---
SELECT
    system_key, system_id, unit_key, unit_id, block_key, value, 1 AS weight,
    dataset, _ingest, _row, _sheet, observed_at, note
FROM core.stage_evidence
WHERE stage = 'contracted'
