-- ---
-- title: Circuits active on both sides
-- unit: share
-- definition: Share of the system's circuits that are active on the customer's and on the provider's side, with no BGP
--   session down where sessions over them are reported. The provider's own report outweighs our record of its side.
-- formula: circuits active on both sides / circuits
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    c.both_sides::INTEGER AS value, 1 AS weight,
    'circuits' AS dataset, u._ingest, u._row, u._sheet, c.reported_at AS observed_at,
    concat_ws(', ', 'customer ' || coalesce(c.customer_state, CASE WHEN c.customer_active THEN 'BGP up' ELSE 'unknown'
        END), 'provider ' || coalesce(c.provider_state, 'unknown'), 'BGP down: ' || c.peers_down) AS note
FROM core.units u
JOIN core.circuit_now c ON c.circuit_key = u.circuit_key
WHERE u.dataset = 'circuits'
