-- ---
-- title: Moves without a decision
-- unit: count
-- definition: Pieces and shares of orders that came to the system from another one without a decision that covers them.
-- formula: count of moves that no closed decision or change covers
-- aggregate: sum
-- spread: system
-- ---
SELECT
    m.to_key AS system_key, m.to_system AS system_id, m.item AS unit_key, m.subject AS unit_id, NULL AS block_key,
    (m.decision_state <> 'decided')::INTEGER AS value, 1 AS weight,
    m.dataset, m._ingest, m._row, m._sheet, m.moved_on::TIMESTAMP AS observed_at,
    'from ' || m.from_system || ' by ' || m.moved_on || ', ' || coalesce(m.decision || ' ' || m.decision_state, 'no decision')
        AS note
FROM core.capacity_moves m
