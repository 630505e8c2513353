-- ---
-- title: Circuits in service
-- unit: Gbit/s
-- definition: Capacity of circuits that are tested, in service, and active on the customer's and the provider's side.
-- formula: sum of Gbit/s of circuits in service
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    CASE WHEN e.has THEN u.capacity ELSE 0 END AS value, 1 AS weight,
    'circuits' AS dataset, u._ingest, u._row, u._sheet, e.observed_at, e.note
FROM core.units u
JOIN core.evidence_schedulable e ON e.system_key = u.system_key AND e.unit_key = u.unit_key
WHERE u.dataset = 'circuits'
