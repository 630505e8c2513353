-- ---
-- title: Replacements
-- unit: count
-- definition: Serial numbers of the system that a return replaced by another one, each link of a chain once.
-- formula: count of replacements
-- aggregate: sum
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, w.serial_key AS unit_key, w.serial AS unit_id, NULL AS block_key, 1 AS value, 1 AS weight,
    'failures' AS dataset, w._ingest, w._row, w._sheet, w.swapped_on::TIMESTAMP AS observed_at,
    w.failure_id || ': ' || w.path AS note
FROM core.rma_swaps w
JOIN (SELECT serial_key, min(system_id_key) AS system_key FROM core.assets WHERE serial_key IS NOT NULL GROUP BY ALL) a
    ON a.serial_key IN (w.serial_key, w.replaced_serial_key)
JOIN core.systems s ON s.system_key = coalesce(w.system_key, a.system_key)
QUALIFY row_number() OVER (PARTITION BY w.serial_key, w.replaced_serial_key ORDER BY a.serial_key <> w.serial_key) = 1
