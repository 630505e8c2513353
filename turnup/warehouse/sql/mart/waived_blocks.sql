-- table: core.waived_blocks
-- grain: one row is a block with a criterion, or a unit, that a waiver carries
-- key: system_key, block
WITH used AS (
    SELECT system_key, block, waiver_id FROM mart.criteria WHERE state = 'waived'
    UNION
    SELECT u.system_key, b.block, u.waiver_id
    FROM core.unit_stages u
    JOIN core.block_sizes b ON b.system_key = u.system_key AND (b.blocks = 1 OR b.block_key = u.block_key)
    WHERE u.waiver_id IS NOT NULL
)
SELECT
    u.system_key,
    u.block,
    min(w.expiry) AS earliest_expiry,
    arg_min(w.id, (w.expiry, w.id)) AS first_waiver
FROM used u
JOIN core.waivers w ON w.id = u.waiver_id AND w.system_key = u.system_key
GROUP BY u.system_key, u.block
