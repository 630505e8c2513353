-- table: core.needs
-- grain: one row is a gate of another system that a system needs, and its own gate that asks for it
-- key: system_key, needed_key, gate, asked_gate
-- Without a gate it needs the other one in use: its last gate. Without an asking gate that gate asks whose criterion
-- names the kind of the needed system, else its handover, and where no gate hands over, the last one. A gate that does not apply to a system stands for the next one that does. there: what
-- of the needed system has reached the stage that its gate closes; null where that is not known, and the gate is then
-- 'unknown'.
WITH gates AS (
    SELECT s.system_key, g.* EXCLUDE (playbook), list_contains(g.supply_models, s.supply_model) AS applies
    FROM core.systems s JOIN core.gates g ON g.playbook = s.playbook
),
ends AS (
    SELECT
        system_key,
        max(gate_no) FILTER (applies) AS last_no,
        min(gate_no) FILTER (applies AND stage = 'handed_over') AS handover_no
    FROM gates GROUP BY system_key
),
places AS (
    SELECT g.system_key, c.needs AS kind, min(g.gate_no) AS gate_no
    FROM core.systems s
    JOIN gates g ON g.system_key = s.system_key
    JOIN core.criteria c ON c.playbook = s.playbook AND c.gate = g.gate AND c.needs IS NOT NULL
    GROUP BY ALL
),
named AS (
    SELECT
        d.from_system_key AS system_key, d.from_system AS system_id, d.to_system_key AS needed_key,
        d.to_system AS needed_id, d.type, d._ingest, d._row, d._sheet,
        coalesce(min(n.gate_no), any_value(m.last_no)) AS gate_no,
        coalesce(min(a.gate_no), min(p.gate_no), any_value(e.handover_no), any_value(e.last_no)) AS asked_no
    FROM stg.dependencies d
    JOIN ends e ON e.system_key = d.from_system_key
    LEFT JOIN ends m ON m.system_key = d.to_system_key
    LEFT JOIN core.systems t ON t.system_key = d.to_system_key
    LEFT JOIN places p ON p.system_key = d.from_system_key AND p.kind = t.kind
    LEFT JOIN gates n
        ON n.system_key = d.to_system_key
        AND lower(trim(d.gate)) IN (lower(n.gate), lower(n.title), n.stage, replace(n.stage, '_', ' '))
    LEFT JOIN gates a
        ON a.system_key = d.from_system_key
        AND lower(trim(d.for_gate)) IN (lower(a.gate), lower(a.title), a.stage, replace(a.stage, '_', ' '))
    WHERE d.from_system_key <> d.to_system_key
    GROUP BY ALL
),
applied AS (
    SELECT
        d.* EXCLUDE (gate_no, asked_no),
        coalesce(min(n.gate_no) FILTER (n.gate_no >= d.gate_no), max(n.gate_no)) AS gate_no,
        coalesce(min(a.gate_no) FILTER (a.gate_no >= d.asked_no), max(a.gate_no)) AS asked_no
    FROM named d
    JOIN gates a ON a.system_key = d.system_key AND a.applies
    LEFT JOIN gates n ON n.system_key = d.needed_key AND n.applies
    GROUP BY ALL
)
SELECT
    d.system_key,
    min(s.system_id) AS system_id,
    d.needed_key,
    coalesce(min(o.system_id), min(d.needed_id)) AS needed_id,
    coalesce(n.gate, 'unknown') AS gate,
    d.gate_no,
    any_value(n.title) AS gate_title,
    any_value(n.owner_role) AS gate_owner_role,
    any_value(n.stage) AS stage,
    a.gate AS asked_gate,
    d.asked_no,
    string_agg(DISTINCT d.type, ', ' ORDER BY d.type) AS types,
    any_value(f.reached) AS there,
    any_value(f.contracted) AS promised,
    arg_min_null(d._ingest, (d._ingest, d._row)) AS _ingest,
    arg_min_null(d._row, (d._ingest, d._row)) AS _row,
    arg_min_null(d._sheet, (d._ingest, d._row)) AS _sheet
FROM applied d
JOIN core.systems s ON s.system_key = d.system_key
JOIN gates a ON a.system_key = d.system_key AND a.gate_no = d.asked_no
LEFT JOIN core.systems o ON o.system_key = d.needed_key
LEFT JOIN gates n ON n.system_key = d.needed_key AND n.gate_no = d.gate_no
LEFT JOIN core.funnel f
    ON f.system_key = d.needed_key AND f.stage = n.stage AND f.contracted > 0 AND f.reached IS NOT NULL
GROUP BY d.system_key, d.needed_key, n.gate, d.gate_no, a.gate, d.asked_no
