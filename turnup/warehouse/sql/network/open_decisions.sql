-- table: core.open_decisions
-- grain: one row is a decision of the RAID log that is open
-- key: id
-- gate: the gate of the system's playbook that waits for it; none where the entry names none, or one that it has not.
-- block: the block that its scope names.
SELECT
    r.id,
    r.system_id_key AS system_key,
    g.gate,
    b.block_key,
    r.needed_by
FROM core.raid_items r
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = r.system_id_key
LEFT JOIN core.gates g
    ON g.playbook = s.playbook
    AND lower(trim(r.gate)) IN (lower(g.gate), lower(g.title), g.stage, replace(g.stage, '_', ' '))
LEFT JOIN core.blocks b ON b.system_key = r.system_id_key AND b.block_key = lower(trim(r.scope))
WHERE r.type = 'decision' AND r.opened <= p.as_of AND (r.closed IS NULL OR r.closed > p.as_of)
QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row, g.gate_no) = 1
