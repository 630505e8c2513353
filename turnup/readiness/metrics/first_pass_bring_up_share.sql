-- ---
-- title: First-pass yield of bring-up
-- unit: share
-- definition: Share of the units whose first bring-up ended in the last six weeks that came from racking to provisioning
--   (other kinds of systems, to power) without a fault. Without any record of faults there is no yield.
-- formula: first bring-ups without a fault / first bring-ups ended
-- aggregate: ratio
-- spread: unit
-- ---
SELECT
    f.system_key, u.system_id, f.unit_key, u.unit_id, u.block_key, f.passed::INTEGER AS value, 1 AS weight,
    f.dataset, f._ingest, f._row, f._sheet, f.ended_on::TIMESTAMP AS observed_at, f.note
FROM core.first_attempts f
CROSS JOIN core.settings p
JOIN core.units u ON u.system_key = f.system_key AND u.unit_key = f.unit_key
WHERE f.gate = 'power_bringup' AND f.ended_on > p.as_of - p.yield_days
