-- table: core.need_criteria
-- grain: one row is a need of another system, as a criterion of the gate that asks for it, for a block
-- key: system_key, block, gate, criterion
-- Met when as large a share of the other system is there as the block ends at, or when the blocks of the other one that
-- make up this share have passed the gate, with all that they need in turn.
WITH asked AS (
    SELECT
        n.*, b.block_key, b.block,
        CASE WHEN t.total > 0 THEN (b.planned_before + b.planned) / t.total ELSE 1 END::DOUBLE AS wanted,
        n.there / n.promised AS share_there,
        o.waiting, o.waiver_id, w.expiry,
        row_number() OVER (PARTITION BY n.system_key, b.block_key, n.asked_gate
            ORDER BY n.needed_key, n.gate) AS place
    FROM core.needs n
    JOIN core.block_sizes b ON b.system_key = n.system_key
    JOIN (SELECT system_key, sum(planned) AS total FROM core.block_sizes GROUP BY ALL) t ON t.system_key = n.system_key
    LEFT JOIN (
        SELECT system_key, block_key, asked_gate, needed_key, gate, count(*) AS waiting, min(waiver_id) AS waiver_id
        FROM core.open_needs GROUP BY ALL
    ) o
        ON o.system_key = n.system_key AND o.block_key = b.block_key AND o.asked_gate = n.asked_gate
        AND o.needed_key = n.needed_key AND o.gate = n.gate
    LEFT JOIN core.need_waivers w
        ON w.system_key = n.system_key AND w.block_key = b.block_key AND w.asked_gate = n.asked_gate
        AND w.needed_key = n.needed_key AND w.gate = n.gate
),
worded AS (
    SELECT
        *,
        'Needs ' || needed_id || coalesce(' at ' || gate_title, '') AS title,
        waiting IS NOT NULL AND (gate_no IS NULL OR (stage IS NOT NULL AND there IS NULL)) AS silent
    FROM asked
)
SELECT
    system_key,
    system_id,
    block,
    asked_gate AS gate,
    'needs:' || needed_key || ':' || gate AS criterion,
    'needed_systems_ready' AS metric,
    '>=' AS comparison,
    wanted AS threshold,
    share_there AS value,
    'share' AS unit,
    CASE
        WHEN waiting IS NULL THEN 'met'
        WHEN waiver_id IS NOT NULL THEN 'waived'
        WHEN silent THEN 'no data'
        ELSE 'not met'
    END AS state,
    CASE WHEN silent THEN 0 ELSE 1 END::BIGINT AS evidence_rows,
    NULL::TIMESTAMP AS evidence_at,
    'high' AS severity,
    CASE WHEN waiting IS NOT NULL THEN waiver_id END AS waiver_id,
    title || ': ' || CASE
        WHEN gate_no IS NULL THEN 'no evidence, it has no gates'
        WHEN waiting IS NULL THEN 'there'
        WHEN silent THEN 'no evidence of its capacity'
        WHEN there IS NULL THEN 'not passed'
        ELSE figure(floor(round(1000 * share_there, 6)) / 10) || ' % of it there (wanted >= '
            || figure(ceil(round(1000 * wanted, 6)) / 10) || ' %)'
    END AS message,
    asked_no AS gate_no,
    (1000 + place)::INTEGER AS criterion_no,
    title,
    true AS standing,
    coalesce(gate_owner_role, 'programme manager') AS owner_role,
    CASE WHEN waiting IS NOT NULL THEN expiry END AS waiver_expiry
FROM worded
