-- ---
-- title: Lead time P90
-- unit: days
-- definition: Days from order to delivery that 90 % of the delivered shipment lines with steps in order did not exceed. A
--   case, never a value between two.
-- formula: smallest number of days that at least 90 % of the lines did not exceed
-- aggregate: p90
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, lower(trim(l.vendor)) AS unit_key,
    l.shipment || '/' || l.line AS unit_id, NULL AS block_key, l.lead_days AS value, 1 AS weight,
    'shipments' AS dataset, l._ingest, l._row, l._sheet, l.delivered::TIMESTAMP AS observed_at,
    l.vendor || ': ordered ' || l.ordered || ', delivered ' || l.delivered AS note
FROM core.shipment_lines l
WHERE l.lead_days IS NOT NULL
