-- ---
-- title: Circuits at their ordered rate
-- unit: share
-- definition: Share of the circuits with turn-up results whose newest results all reach the rate ordered, in both
--   directions or over a loop (98 % of it by a tester, 90 % by iperf3, whose payload cannot fill a line).
-- formula: circuits that reach their rate / circuits with results
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    (t.verdict = 'pass')::INTEGER AS value, 1 AS weight,
    t.dataset, t._ingest, t._row, t._sheet, t.measured_at AS observed_at, t.tests || ' ' || t.verdict || ', ' || t.said
        AS note
FROM core.units u
JOIN core.circuit_test_now t ON t.circuit_key = u.unit_key
WHERE u.dataset = 'circuits'
