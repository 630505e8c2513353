-- ---
-- title: Shipped
-- unit: capacity
-- definition: "Ordered capacity that left the vendor; goods at a warehouse or an integrator are still shipped."
-- formula: sum of shipped quantity x capacity per unit, capped
-- aggregate: sum
-- spread: system
-- ---
SELECT
    system_key, system_id, unit_key, unit_id, block_key, value, 1 AS weight,
    dataset, _ingest, _row, _sheet, observed_at, note
FROM core.stage_evidence
WHERE stage = 'shipped'
