-- ---
-- title: Received
-- unit: capacity
-- definition: "Shipped capacity received in good order at the system's own site."
-- formula: sum of good quantity at the site x capacity per unit, capped
-- aggregate: sum
-- spread: system
-- ---
SELECT
    system_key, system_id, unit_key, unit_id, block_key, value, 1 AS weight,
    dataset, _ingest, _row, _sheet, observed_at, note
FROM core.stage_evidence
WHERE stage = 'received'
