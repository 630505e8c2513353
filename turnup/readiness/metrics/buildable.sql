-- ---
-- title: Buildable capacity
-- unit: capacity
-- definition: Capacity for which every fitted part is installed, kitted or free at the site today, the least over all lines of a block; what is powered on counts as built.
-- formula: sum over blocks of the least over lines of whole units covered, in capacity
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    b.system_key, b.system_id, b.line_key AS unit_key, b.block AS unit_id, b.block_key,
    b.buildable AS value, 1 AS weight,
    'bom' AS dataset, b._ingest, b._row, b._sheet, NULL::TIMESTAMP AS observed_at, b.note
FROM core.buildable_now b
