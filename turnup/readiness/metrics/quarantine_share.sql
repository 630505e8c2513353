-- ---
-- title: Quarantined rows
-- unit: share
-- definition: Share of the rows read from the files in force that were quarantined and not corrected since.
-- formula: quarantined rows not closed by a returned send-back / rows read
-- aggregate: ratio
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, NULL AS unit_key, l.file AS unit_id, NULL AS block_key,
    l.open AS value, l.rows_read AS weight,
    l.dataset, NULL AS _ingest, NULL AS _row, NULL AS _sheet, NULL::TIMESTAMP AS observed_at,
    l.open || ' of ' || l.rows_read || ' rows' AS note
FROM meta.ledger l
WHERE l.in_force AND l.corrects = ''
