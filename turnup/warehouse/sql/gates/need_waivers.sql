-- table: core.need_waivers
-- grain: one row is a block and a need that a waiver of the whole gate that asks covers, while that is in force
-- key: system_key, block_key, asked_gate, needed_key, gate
SELECT
    n.system_key, b.block_key, n.asked_gate, n.needed_key, n.gate, min(w.id) AS waiver_id, min(w.expiry) AS expiry
FROM core.needs n
JOIN core.block_sizes b ON b.system_key = n.system_key
JOIN core.waivers w
    ON w.in_force AND w.system_key = n.system_key AND w.gate = n.asked_gate
    AND w.criterion IS NULL
    AND (w.reach = 'system' OR (w.reach = 'block' AND w.scope = b.block_key))
GROUP BY ALL
