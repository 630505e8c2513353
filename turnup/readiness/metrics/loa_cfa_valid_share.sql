-- ---
-- title: LOA-CFA valid
-- unit: share
-- definition: Share of circuits whose letter of authorisation was issued and has not expired; a circuit in service
--   needs none.
-- formula: circuits with a valid letter or in service / circuits
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    (coalesce(c.in_service <= p.as_of, false)
        OR (coalesce(c.loa_cfa_issued <= p.as_of, false)
            AND coalesce(c.loa_cfa_expiry >= p.as_of, true)))::INTEGER AS value,
    1 AS weight,
    'circuits' AS dataset, u._ingest, u._row, u._sheet, c.loa_cfa_issued::TIMESTAMP AS observed_at,
    concat_ws(', ', 'issued ' || c.loa_cfa_issued, 'expires ' || c.loa_cfa_expiry,
        'in service ' || c.in_service) AS note
FROM core.units u
CROSS JOIN core.settings p
JOIN core.circuit_now c ON c.circuit_key = u.unit_key
WHERE u.dataset = 'circuits'
