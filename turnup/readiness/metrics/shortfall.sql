-- ---
-- title: Shortfall
-- unit: capacity
-- definition: Due quantity not covered by schedulable capacity, line by line; a surplus of one line never offsets
--   another.
-- formula: sum over due lines of quantity - schedulable of the line
-- aggregate: sum
-- spread: system
-- ---
SELECT
    system_key, system_id, NULL AS unit_key, contract || '/' || line || '/' || phase AS unit_id, NULL AS block_key,
    shortfall AS value, 1 AS weight,
    'commitments' AS dataset, _ingest, _row, _sheet, NULL::TIMESTAMP AS observed_at,
    schedulable || ' of ' || quantity || ', contract date ' || contract_date AS note
FROM core.line_supply
