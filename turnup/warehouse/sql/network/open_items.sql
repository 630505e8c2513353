-- table: core.open_items
-- grain: one row is an open entry of the RAID log
-- key: id
-- gate: the gate of the system's playbook that is meant; none where the entry names none, or one that it has not.
-- block: the block that its scope names.
SELECT r.*, g.gate AS gate_key, b.block_key
FROM core.raid_items r
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = r.system_id_key
LEFT JOIN core.gates g
    ON g.playbook = s.playbook
    AND lower(trim(r.gate)) IN (lower(g.gate), lower(g.title), g.stage, replace(g.stage, '_', ' '))
LEFT JOIN core.blocks b ON b.system_key = r.system_id_key AND b.block_key = lower(trim(r.scope))
WHERE r.opened <= p.as_of AND (r.closed IS NULL OR r.closed > p.as_of)
QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row, g.gate_no) = 1
