-- table: core.block_sizes
-- grain: one row is a block of a system with its planned capacity and the capacity planned before it
-- key: system_key, block_key
-- A block without a stated size is as large as the units in it; the only block of a system is the whole commitment.
WITH bearing AS (SELECT system_key, block_key, sum(capacity) AS capacity FROM core.units GROUP BY ALL),
sized AS (
    SELECT b.system_key, b.block_key, b.block, b.block_no, b.blocks, coalesce(b.planned, u.capacity, 0)::DECIMAL(18, 3)
        AS planned
    FROM core.blocks b
    LEFT JOIN bearing u ON u.system_key = b.system_key AND u.block_key = b.block_key
)
SELECT *, (sum(planned) OVER (PARTITION BY system_key ORDER BY block_no) - planned)::DECIMAL(18, 3) AS planned_before
FROM sized
