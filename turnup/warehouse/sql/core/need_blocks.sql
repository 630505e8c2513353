-- table: core.need_blocks
-- grain: one row is a block and a block of a needed system that it waits for while that has not passed its gate
-- key: system_key, block_key, asked_gate, needed_key, gate, needed_block
-- A block needs as large a share of the other system as it ends at in its own; blocks of the other one that lie beyond
-- that share, and all of them once it is there, are not waited for. A needed system without a gate is one block ''.
WITH sized AS (
    SELECT *, sum(planned) OVER (PARTITION BY system_key)::DECIMAL(18, 3) AS total FROM core.block_sizes
)
SELECT
    n.system_key, b.block_key, b.block, n.asked_gate, n.asked_no, n.needed_key, n.gate, n.gate_no,
    coalesce(o.block_key, '') AS needed_block
FROM core.needs n
JOIN sized b ON b.system_key = n.system_key
LEFT JOIN sized o ON o.system_key = n.needed_key AND n.gate_no IS NOT NULL
WHERE coalesce(CASE WHEN b.total > 0 THEN n.there * b.total < (b.planned_before + b.planned) * n.promised
        ELSE n.there < n.promised END, true)
  AND coalesce(CASE WHEN b.total = 0 OR o.total = 0 THEN o.planned_before < o.total OR o.total = 0
        ELSE o.planned_before * b.total < (b.planned_before + b.planned) * o.total END, true)
