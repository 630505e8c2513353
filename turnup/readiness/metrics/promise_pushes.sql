-- ---
-- title: Promises pushed out
-- unit: count
-- definition: How often a new schedule moved pieces of an order line to a later day, by what earlier deliveries said.
-- formula: sum over order lines of schedules that moved pieces to later days
-- aggregate: sum
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, l.vendor_key AS unit_key, l.po || '/' || l.line AS unit_id,
    NULL AS block_key, l.pushes AS value, 1 AS weight,
    'po_schedule' AS dataset, l._ingest, l._row, l._sheet, NULL::TIMESTAMP AS observed_at,
    l.vendor || ': first promised for ' || coalesce(l.first_promise::VARCHAR, 'no day') || ', now ' || l.promise_now AS note
FROM core.promise_lines l
WHERE l.left_out IS NULL OR l.left_out = 'closed'
