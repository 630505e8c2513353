-- ---
-- title: Circuits with turn-up results
-- unit: share
-- definition: Share of the system's circuits with results of a turn-up test (RFC 2544, Y.1564 or iperf3) in both
--   directions, or over a loop.
-- formula: circuits measured both ways / circuits
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    coalesce(t.verdict IN ('pass', 'fail'), false)::INTEGER AS value, 1 AS weight,
    coalesce(t.dataset, u.dataset) AS dataset, coalesce(t._ingest, u._ingest) AS _ingest,
    CASE WHEN t._ingest IS NULL THEN u._row ELSE t._row END AS _row,
    CASE WHEN t._ingest IS NULL THEN u._sheet ELSE t._sheet END AS _sheet,
    t.measured_at AS observed_at, coalesce(t.tests || ': ' || t.verdict, 'no result') AS note
FROM core.units u
LEFT JOIN core.circuit_test_now t ON t.circuit_key = u.unit_key
WHERE u.dataset = 'circuits'
