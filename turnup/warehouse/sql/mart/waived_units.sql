-- table: core.waived_units
-- grain: one row is a unit and a waiver that it rests on, with its schedulable capacity
-- key: system_key, unit_key, waiver_id
-- A unit rests on a waiver that stands for evidence of its own, and on one that stands for its whole block or system;
-- a unit that passed by itself does not rest on the waiver of another.
WITH resting AS (
    SELECT system_key, unit_key, waiver_id FROM core.unit_stages WHERE waiver_id IS NOT NULL
    UNION
    SELECT u.system_key, u.unit_key, c.waiver_id
    FROM mart.criteria c
    JOIN core.metric_definitions d ON d.metric = c.metric AND d.spread <> 'unit'
    JOIN core.block_sizes b ON b.system_key = c.system_key AND b.block = c.block
    JOIN core.units u ON u.system_key = c.system_key AND (b.blocks = 1 OR u.block_key = b.block_key)
    WHERE c.state = 'waived'
)
SELECT r.system_key, r.unit_key, r.waiver_id, CASE WHEN s.reached THEN s.quantity ELSE 0 END::DECIMAL(18, 3) AS quantity
FROM resting r
JOIN core.unit_stages s ON s.system_key = r.system_key AND s.unit_key = r.unit_key AND s.stage = 'schedulable'
