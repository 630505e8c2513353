-- table: core.line_blocks
-- grain: one row is a commitment line and a block that it is served from
-- key: contract_key, line_key, phase_key, block
-- Lines by contract date and blocks by planned order lie on one scale of capacity; a line is served where they
-- overlap.
SELECT l.contract_key, l.line_key, l.phase_key, l.system_key, b.block, b.block_no
FROM core.line_supply l
JOIN core.block_sizes b
    ON b.system_key = l.system_key
    AND (b.blocks = 1 OR (
        b.planned_before < l.cumulative AND b.planned_before + b.planned > l.cumulative - l.quantity
    ))
