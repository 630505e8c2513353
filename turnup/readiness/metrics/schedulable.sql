-- ---
-- title: Schedulable
-- unit: capacity
-- definition: "Handed-over capacity that its user sees now. Compute - the scheduler offers it (72 h without a break
--   the first time); storage - serving, with mounts; PoP and backbone - sessions up; circuits - tested and in
--   service."
-- formula: sum of offered capacity of units with this and every earlier stage, capped
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    system_key, system_id, unit_key, unit_id, block_key, value, 1 AS weight,
    dataset, _ingest, _row, _sheet, observed_at, note
FROM core.stage_evidence
WHERE stage = 'schedulable'
