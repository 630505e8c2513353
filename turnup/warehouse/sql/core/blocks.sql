-- table: core.blocks
-- grain: one row is a block of a system; a system without blocks has the one block "all"
-- key: system_key, block_key
WITH listed AS (
    SELECT system_id_key AS system_key, block_key, min(block) AS block, max(units) AS units,
        min(planned_order) AS planned_order
    FROM stg.blocks GROUP BY ALL
),
named AS (
    SELECT i.system_id_key AS system_key, i.block_key, min(i.block) AS block, NULL::DECIMAL(18, 3) AS units,
        NULL::INTEGER AS planned_order
    FROM stg.installs i
    WHERE i.block_key IS NOT NULL AND i.system_id_key NOT IN (SELECT system_key FROM listed)
    GROUP BY ALL
),
known AS (
    SELECT system_key, block_key, block, units::DECIMAL(18, 3) AS units, planned_order FROM listed
    UNION ALL
    SELECT * FROM named
)
SELECT
    s.system_key,
    coalesce(k.block_key, 'all') AS block_key,
    coalesce(k.block, 'all') AS block,
    CASE WHEN count(*) OVER (PARTITION BY s.system_key) = 1 THEN coalesce(k.units, c.contracted)
        ELSE k.units END AS planned,
    row_number() OVER (PARTITION BY s.system_key ORDER BY k.planned_order NULLS LAST, k.block_key) AS block_no,
    count(*) OVER (PARTITION BY s.system_key) AS blocks
FROM core.systems s
JOIN core.contracted c ON c.system_key = s.system_key
LEFT JOIN known k ON k.system_key = s.system_key
