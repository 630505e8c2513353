-- table: core.closed_gates
-- grain: one row is a block and the number of a gate that it cannot pass, so that it passes none from there on
-- key: system_key, block_key, gate_no
-- A gate is closed by a criterion that is neither met nor waived, or by a need of a gate of another system that is
-- itself closed there, however long that chain is. What nobody knows is closed.
WITH RECURSIVE waited AS (
    SELECT e.* FROM core.need_blocks e ANTI JOIN core.need_waivers w
        USING (system_key, block_key, asked_gate, needed_key, gate)
),
closed AS (
    SELECT DISTINCT c.system_key, b.block_key, c.gate_no
    FROM core.own_criteria c
    JOIN core.block_sizes b ON b.system_key = c.system_key AND b.block = c.block
    WHERE c.state NOT IN ('met', 'waived')
    UNION
    SELECT DISTINCT system_key, block_key, asked_no FROM waited WHERE needed_block = ''
    UNION
    SELECT e.system_key, e.block_key, e.asked_no
    FROM closed o JOIN waited e
        ON e.needed_key = o.system_key AND e.needed_block = o.block_key AND e.gate_no >= o.gate_no
)
SELECT DISTINCT system_key, block_key, gate_no FROM closed
