-- table: core.open_decisions
-- grain: one row is a decision of the RAID log that is open, with the gate and the block that wait for it
-- key: id
SELECT id, system_id_key AS system_key, gate_key AS gate, block_key, needed_by
FROM core.open_items
WHERE type = 'decision'
