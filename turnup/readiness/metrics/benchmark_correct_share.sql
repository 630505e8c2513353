-- ---
-- title: Results with correct values
-- unit: share
-- definition: Share of judged runs whose values were verified and clean; not verified counts as not correct.
-- formula: clean results / results
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    t.system_key, u.system_id, t.unit_key, u.unit_id, u.block_key,
    t.is_checked::INTEGER AS value, 1 AS weight,
    CASE WHEN t._ingest IS NULL THEN u.dataset ELSE 'benchmarks' END AS dataset,
    coalesce(t._ingest, u._ingest) AS _ingest,
    CASE WHEN t._ingest IS NULL THEN u._row ELSE t._row END AS _row,
    CASE WHEN t._ingest IS NULL THEN u._sheet ELSE t._sheet END AS _sheet,
    t.measured_at AS observed_at, t.test_key || ' ' || t.metric_key || ': ' || t.note AS note
FROM core.unit_tests t
JOIN core.units u ON u.system_key = t.system_key AND u.unit_key = t.unit_key
WHERE t.is_checked IS NOT NULL
