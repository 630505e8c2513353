-- table: core.walked_blocks
-- grain: one row is a block of a system on whose site acceptance or handover a decision is signed
-- key: system_key, block_key
-- Whoever signed has walked the block: a punch list without a point of it says that none is open.
SELECT b.system_key, b.block_key, d.gate, d.decided, d._ingest, d._row, d._sheet
FROM core.block_sizes b
JOIN core.signed_decisions d
    ON d.system_key = b.system_key AND (d.block_key = b.block_key OR d.block_key IN ('all', '*'))
    AND (d.is_handover OR d.gate = 'site_acceptance')
QUALIFY row_number() OVER (
    PARTITION BY b.system_key, b.block_key ORDER BY d.decided DESC, d._ingest, d._row, d.sheet) = 1
