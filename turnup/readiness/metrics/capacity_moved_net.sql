-- ---
-- title: Capacity moved, net
-- unit: capacity
-- definition: Capacity of pieces that the system got from other systems less what it gave them, by what earlier
--   deliveries said. Over all systems of a kind it is zero.
-- formula: capacity of pieces that came - capacity of pieces that went
-- aggregate: sum
-- spread: system
-- ---
SELECT
    v.system_key, s.system_id, m.item AS unit_key, m.subject AS unit_id, NULL AS block_key, v.quantity AS value, 1 AS weight,
    m.dataset, m._ingest, m._row, m._sheet, m.moved_on::TIMESTAMP AS observed_at,
    'from ' || m.from_system || ' to ' || m.to_system || ' by ' || m.moved_on || ', '
        || coalesce(m.decision || ' ' || m.decision_state, 'no decision') AS note
FROM core.capacity_moves m
CROSS JOIN LATERAL (
    SELECT unnest([m.from_key, m.to_key]) AS system_key, unnest([-m.quantity_out, m.quantity_in]) AS quantity
) v
JOIN core.systems s ON s.system_key = v.system_key
WHERE m.dataset = 'installs'
