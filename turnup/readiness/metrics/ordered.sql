-- ---
-- title: Ordered
-- unit: capacity
-- definition: "Capacity on purchase orders allocated to the system and not cancelled, at most the commitment."
-- formula: sum of allocated quantity x capacity per unit, capped
-- aggregate: sum
-- spread: system
-- ---
SELECT
    system_key, system_id, unit_key, unit_id, block_key, value, 1 AS weight,
    dataset, _ingest, _row, _sheet, observed_at, note
FROM core.stage_evidence
WHERE stage = 'ordered'
