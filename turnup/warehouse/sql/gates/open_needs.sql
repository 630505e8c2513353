-- table: core.open_needs
-- grain: one row is a block and a block of a needed system that it waits for now
-- key: system_key, block_key, asked_gate, needed_key, gate, needed_block
SELECT e.*, w.waiver_id
FROM core.need_blocks e
LEFT JOIN core.need_waivers w USING (system_key, block_key, asked_gate, needed_key, gate)
WHERE e.needed_block = '' OR EXISTS (
    SELECT 1 FROM core.closed_gates c
    WHERE c.system_key = e.needed_key AND c.block_key = e.needed_block AND c.gate_no <= e.gate_no
)
