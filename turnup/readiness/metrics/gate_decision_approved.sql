-- ---
-- title: Handover approved
-- unit: share
-- definition: 1 when the newest handover decision of the block approves (with or without actions), else 0. No
--   decision is no data.
-- formula: approving decision
-- aggregate: min
-- spread: block
-- ---
SELECT
    h.system_key, s.system_id, NULL AS unit_key, h.block_key AS unit_id, h.block_key,
    h.approved::INTEGER AS value, 1 AS weight,
    'gate_decisions' AS dataset, h._ingest, h._row, h._sheet, h.decided::TIMESTAMP AS observed_at,
    h.outcome || ' by ' || h.approver AS note
FROM core.handovers h
JOIN core.systems s ON s.system_key = h.system_key
WHERE h.outcome IS NOT NULL
