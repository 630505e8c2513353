-- table: core.block_funnel
-- grain: one row is a block of a system and a stage
-- key: system_key, block_key, stage_no
-- Stages of goods fill the blocks in their planned order; stages of units are the block's own units.
WITH own AS (
    SELECT system_key, block_key, stage_no, sum(quantity) FILTER (reached) AS quantity FROM core.unit_stages
        GROUP BY ALL
),
filled AS (
    SELECT
        b.system_key,
        b.block_key,
        b.block_no,
        b.planned,
        f.stage_no,
        f.stage,
        CASE
            WHEN b.blocks = 1 THEN f.reached
            WHEN f.stage_no = 0 THEN b.planned
            WHEN NOT f.applicable THEN NULL
            WHEN f.stage_no <= 3 THEN greatest(0, least(b.planned, f.reached - b.planned_before))
            ELSE coalesce(o.quantity, 0)
        END AS reached
    FROM core.block_sizes b
    JOIN core.funnel f ON f.system_key = b.system_key
    LEFT JOIN own o ON o.system_key = b.system_key AND o.block_key = b.block_key AND o.stage_no = f.stage_no
),
chained AS (
    SELECT * REPLACE (min(reached) OVER (PARTITION BY system_key, block_key
        ORDER BY stage_no)::DECIMAL(18, 3) AS reached)
    FROM filled
)
SELECT
    *,
    coalesce(lag(reached) OVER (PARTITION BY system_key, block_key
        ORDER BY stage_no) - reached, 0)::DECIMAL(18, 3) AS held
FROM chained
