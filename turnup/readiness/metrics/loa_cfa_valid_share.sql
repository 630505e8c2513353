-- ---
-- title: LOA-CFA valid
-- unit: share
-- definition: Share of circuits whose letters of authorisation are issued and have not expired, at every end with a
--   known cross-connect, else in the circuit's own row; one that is connected, tested or in service needs none.
-- formula: circuits with valid letters or that need none / circuits
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    (l.letter IN ('valid', 'expiring', 'not needed'))::INTEGER AS value, 1 AS weight,
    'circuits' AS dataset, u._ingest, u._row, u._sheet, c.loa_cfa_issued::TIMESTAMP AS observed_at,
    concat_ws(', ', 'LOA-CFA ' || l.letter, 'expires ' || l.letter_expiry, l.letters_missing) AS note
FROM core.units u
JOIN core.circuit_now c ON c.circuit_key = u.unit_key
JOIN core.circuit_life l ON l.circuit_key = u.unit_key
WHERE u.dataset = 'circuits'
