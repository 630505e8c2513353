-- ---
-- title: Due
-- unit: capacity
-- definition: Quantity of the lines in force whose contract date has come.
-- formula: sum of quantity over lines in force with contract date on or before the data date
-- aggregate: sum
-- spread: system
-- ---
SELECT
    system_key, system_id, NULL AS unit_key, contract || '/' || line || '/' || phase AS unit_id, NULL AS block_key,
    CASE WHEN due_now THEN quantity ELSE 0 END AS value, 1 AS weight,
    'commitments' AS dataset, _ingest, _row, _sheet, NULL::TIMESTAMP AS observed_at,
        'contract date ' || contract_date AS note
FROM core.commitment_lines
