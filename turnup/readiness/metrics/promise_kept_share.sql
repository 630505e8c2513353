-- ---
-- title: Promises of 28 days before, kept
-- unit: share
-- definition: Share of the promised days that have passed, as they stood 28 days before, by which, or at most 3 days after,
--   all that the schedule promised up to the day had arrived.
-- formula: promises kept / promises due
-- aggregate: ratio
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, d.vendor_key AS unit_key,
    d.po || '/' || d.line || ' ' || d.promised AS unit_id, NULL AS block_key,
    (d.outcome = 'kept')::INTEGER AS value, 1 AS weight,
    'po_schedule' AS dataset, d._ingest, d._row, d._sheet, d.arrived::TIMESTAMP AS observed_at,
    d.vendor || ': ' || d.cumulative || ' promised by ' || d.promised || ', ' || coalesce('there ' || d.arrived, 'not there')
        AS note
FROM core.promises_due d
WHERE d.outcome <> 'no data'
