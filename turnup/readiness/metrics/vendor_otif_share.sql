-- ---
-- title: On time and in full
-- unit: share
-- definition: Share of the purchase order lines due at the data date of which, by the day due, as many good pieces as were
--   ordered had arrived and stayed. Due is the first promise for the whole order, without one the day we asked for.
--   Cancelled lines and corrections are left out; lines without a date, or without any receipt to go by, are unknown.
-- formula: lines on time and in full / lines due
-- aggregate: ratio
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, l.vendor_key AS unit_key, l.po || '/' || l.line AS unit_id,
    NULL AS block_key, (l.verdict = 'on time in full')::INTEGER AS value, 1 AS weight,
    'purchase_orders' AS dataset, l._ingest, l._row, l._sheet, l.full_on::TIMESTAMP AS observed_at,
    l.vendor || ': ' || l.verdict || ', due ' || l.due || ' (' || l.due_by || '), '
        || coalesce('in full ' || l.full_on, l.by_now || ' of ' || l.ordered || ' so far') AS note
FROM core.line_punctuality l
WHERE l.verdict IN ('on time in full', 'late', 'not in full')
