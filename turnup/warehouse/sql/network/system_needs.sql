-- table: core.system_needs
-- grain: one row is a system whose gate waits for a gate of another
-- key: system_key, needed_key, gate, asked_gate
-- What a waiver covers for every block holds nothing back.
SELECT DISTINCT n.system_key, n.needed_key, n.gate, n.asked_gate
FROM core.needs n
JOIN core.block_sizes b ON b.system_key = n.system_key
ANTI JOIN core.need_waivers w
    ON w.system_key = n.system_key AND w.block_key = b.block_key AND w.asked_gate = n.asked_gate
    AND w.needed_key = n.needed_key AND w.gate = n.gate
WHERE n.gate_no IS NOT NULL
