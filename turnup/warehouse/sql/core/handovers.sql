-- table: core.handovers
-- grain: one row is a block of a system with its newest decision on the handover gate and its open class A points
-- key: system_key, block_key
WITH decisions AS (
    SELECT d.*, lower(trim(d.gate)) AS gate_name
    FROM stg.gate_decisions d CROSS JOIN core.settings p
    WHERE d.decided <= p.as_of
),
handover AS (
    SELECT d.*
    FROM decisions d
    JOIN core.systems s ON s.system_key = d.system_id_key
    LEFT JOIN core.gates g ON g.playbook = s.playbook AND g.stage = 'handed_over'
    WHERE d.gate_name IN ('handed_over', 'handover', 'handed over', 'handoff', 'hand-off', 'production handoff')
       OR d.gate_name IN (g.gate, lower(g.title))
),
asset_blocks AS (SELECT unit_key, min(block_key) AS block_key FROM core.units GROUP BY ALL),
points AS (
    SELECT q.system_id_key AS system_key, a.block_key, q.punch_id
    FROM stg.punch_list q
    CROSS JOIN core.settings p
    LEFT JOIN asset_blocks a ON a.unit_key = q.asset_key
    WHERE q.class = 'A' AND (q.closed IS NULL OR q.closed > p.as_of)
),
pairs AS (
    SELECT system_key, block_key FROM core.blocks
    UNION
    SELECT system_key, block_key FROM core.units
)
SELECT
    b.system_key,
    b.block_key,
    d.outcome,
    d.decided,
    d.approver,
    d.outcome IN ('approve', 'approve_with_actions') AS approved,
    (SELECT count(*) FROM points q WHERE q.system_key = b.system_key AND (q.block_key IS NULL
        OR q.block_key = b.block_key))
        AS open_class_a,
    d._ingest,
    d._row,
    d._sheet
FROM pairs b
LEFT JOIN handover d ON d.system_id_key = b.system_key AND (d.block_key = b.block_key OR d.block_key IN ('all', '*'))
QUALIFY row_number() OVER (
    PARTITION BY b.system_key, b.block_key
    ORDER BY d.decided DESC NULLS LAST, d.block_key = b.block_key DESC, d._ingest, d._row
) = 1
