-- table: core.handovers
-- grain: one row is a block of a system with its newest decision on the handover gate and its open class A points
-- key: system_key, block_key
-- A decision signed by somebody who may not sign it approves nothing, and takes nothing back.
WITH asset_blocks AS (SELECT unit_key, min(block_key) AS block_key FROM core.units GROUP BY ALL),
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
    d.outcome IN ('approve', 'approve_with_actions') AND coalesce(d.entitled, true) AS approved,
    d.entitled,
    d.decision_id,
    (SELECT count(*) FROM points q WHERE q.system_key = b.system_key AND (q.block_key IS NULL
        OR q.block_key = b.block_key))
        AS open_class_a,
    d._ingest,
    d._row,
    d._sheet
FROM pairs b
LEFT JOIN core.signed_decisions d
    ON d.is_handover AND d.system_key = b.system_key AND (d.block_key = b.block_key OR d.block_key IN ('all', '*'))
QUALIFY row_number() OVER (
    PARTITION BY b.system_key, b.block_key
    ORDER BY d.entitled IS FALSE, d.decided DESC NULLS LAST, d.block_key = b.block_key DESC, d._ingest, d._row
) = 1
