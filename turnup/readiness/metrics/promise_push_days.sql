-- ---
-- title: Days per push
-- unit: days
-- definition: How far a push moved pieces on the mean, weighed by pieces within a schedule; pieces that came forward in the
--   same schedule count against it.
-- formula: days pushed / pushes
-- aggregate: ratio
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, l.vendor_key AS unit_key, l.po || '/' || l.line AS unit_id,
    NULL AS block_key, l.days_pushed AS value, l.pushes AS weight,
    'po_schedule' AS dataset, l._ingest, l._row, l._sheet, NULL::TIMESTAMP AS observed_at,
    l.vendor || ': ' || l.pushes || ' pushes, ' || l.days_pushed || ' days together' AS note
FROM core.promise_lines l
WHERE l.pushes > 0 AND (l.left_out IS NULL OR l.left_out = 'closed')
