-- table: core.block_funnel
-- grain: one row is a block of a system and a stage
-- key: system_key, block_key, stage_no
-- Stages of goods fill the blocks in their planned order; stages of units are the block's own units.
WITH own AS (
    SELECT system_key, block_key, stage_no, sum(quantity) FILTER (reached) AS quantity, sum(quantity) AS bearing
    FROM core.unit_stages GROUP BY ALL
),
sized AS (
    SELECT
        b.system_key,
        b.block_key,
        b.block_no,
        b.blocks,
        coalesce(b.planned, (SELECT max(bearing) FROM own o WHERE o.system_key = b.system_key AND o.block_key = b.block_key), 0)
            ::DECIMAL(18, 3) AS planned
    FROM core.blocks b
),
placed AS (
    SELECT *, sum(planned) OVER (PARTITION BY system_key ORDER BY block_no) - planned AS planned_before FROM sized
),
filled AS (
    SELECT
        p.system_key,
        p.block_key,
        p.block_no,
        p.planned,
        f.stage_no,
        f.stage,
        CASE
            WHEN p.blocks = 1 THEN f.reached
            WHEN f.stage_no = 0 THEN p.planned
            WHEN NOT f.applicable THEN NULL
            WHEN f.stage_no <= 3 THEN greatest(0, least(p.planned, f.reached - p.planned_before))
            ELSE coalesce(o.quantity, 0)
        END AS reached
    FROM placed p
    JOIN core.funnel f ON f.system_key = p.system_key
    LEFT JOIN own o ON o.system_key = p.system_key AND o.block_key = p.block_key AND o.stage_no = f.stage_no
),
chained AS (
    SELECT * REPLACE (min(reached) OVER (PARTITION BY system_key, block_key ORDER BY stage_no)::DECIMAL(18, 3) AS reached)
    FROM filled
)
SELECT
    *,
    coalesce(lag(reached) OVER (PARTITION BY system_key, block_key ORDER BY stage_no) - reached, 0)::DECIMAL(18, 3) AS held
FROM chained
