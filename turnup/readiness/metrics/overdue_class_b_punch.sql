-- ---
-- title: Overdue class B points
-- unit: points
-- definition: Class B points of the punch list that are open after their day. Known once a point is listed, or a decision
--   on the site acceptance or the handover is signed.
-- formula: count of open class B points past their day
-- aggregate: sum
-- spread: block
-- ---
SELECT
    q.system_id_key AS system_key, s.system_id, q.asset_key AS unit_key, q.punch_id AS unit_id, u.block_key,
    (q.class = 'B' AND q.due < p.as_of AND (q.closed IS NULL OR q.closed > p.as_of))::INTEGER AS value, 1 AS weight,
    'punch_list' AS dataset, q._ingest, q._row, q._sheet, NULL::TIMESTAMP AS observed_at,
    'class ' || q.class || coalesce(', due ' || q.due, '') || coalesce(', closed ' || q.closed, ', open') AS note
FROM stg.punch_list q
CROSS JOIN core.settings p
JOIN core.systems s ON s.system_key = q.system_id_key
LEFT JOIN (SELECT unit_key, min(block_key) AS block_key FROM core.units GROUP BY ALL) u ON u.unit_key = q.asset_key
WHERE q.due IS NOT NULL OR q.class <> 'B'
UNION ALL
SELECT
    w.system_key, s.system_id, NULL, w.block_key, w.block_key, 0, 1,
    'gate_decisions', w._ingest, w._row, w._sheet, NULL::TIMESTAMP, w.gate || ' decision signed'
FROM core.walked_blocks w
JOIN core.systems s ON s.system_key = w.system_key
