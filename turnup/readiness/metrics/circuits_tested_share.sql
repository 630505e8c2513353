-- ---
-- title: Circuits tested
-- unit: share
-- definition: Share of the system's circuits with a test date.
-- formula: tested circuits / circuits
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    coalesce(c.tested <= p.as_of, false)::INTEGER AS value, 1 AS weight,
    'circuits' AS dataset, u._ingest, u._row, u._sheet, c.tested::TIMESTAMP AS observed_at,
    coalesce('tested ' || c.tested, 'not tested') AS note
FROM core.units u
CROSS JOIN core.settings p
JOIN core.circuit_now c ON c.circuit_key = u.unit_key
WHERE u.dataset = 'circuits'
