-- table: core.system_needs
-- grain: one row is a system that waits for a gate of another
-- key: system_key, needed_key, gate
-- Without a gate, it waits until the other one is of use: its last gate.
SELECT DISTINCT
    d.from_system_key AS system_key,
    d.to_system_key AS needed_key,
    coalesce(g.gate, last_gate.gate) AS gate
FROM stg.dependencies d
JOIN core.systems s ON s.system_key = d.from_system_key
JOIN core.systems n ON n.system_key = d.to_system_key
LEFT JOIN core.gates g
    ON g.playbook = n.playbook
    AND lower(trim(d.gate)) IN (lower(g.gate), lower(g.title), g.stage, replace(g.stage, '_', ' '))
JOIN (SELECT playbook, arg_max(gate, gate_no) AS gate FROM core.gates GROUP BY ALL) last_gate
    ON last_gate.playbook = n.playbook
WHERE d.from_system_key <> d.to_system_key
