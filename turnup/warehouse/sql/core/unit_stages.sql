-- table: core.unit_stages
-- grain: one row is a unit and a stage after contracted
-- key: system_key, unit_key, stage_no
-- has: the evidence itself; counts: the evidence, or a waiver in force in its place; reached: this stage and every
-- earlier one that applies counts.
WITH evidence AS (
    SELECT * FROM core.evidence_goods
    UNION ALL SELECT * FROM core.evidence_installed
    UNION ALL SELECT * FROM core.evidence_powered
    UNION ALL SELECT * FROM core.evidence_l1_valid
    UNION ALL SELECT * FROM core.evidence_accepted
    UNION ALL SELECT * FROM core.evidence_handed_over
    UNION ALL SELECT * FROM core.evidence_schedulable
),
counted AS (
    SELECT
        e.*,
        coalesce(e.has, false) OR (w.stage IS NOT NULL AND (e.has IS NOT NULL OR w.covers_missing)) AS counts,
        w.waiver_id
    FROM evidence e
    LEFT JOIN core.unit_waivers w ON w.system_key = e.system_key AND w.unit_key = e.unit_key AND w.stage = e.stage
)
SELECT
    u.system_key,
    u.system_id,
    u.unit_key,
    u.unit_id,
    u.block_key,
    k.stage_no,
    k.stage,
    k.applicable,
    e.has,
    e.quantity,
    e.counts,
    CASE WHEN e.counts AND NOT coalesce(e.has, false) AND k.applicable THEN e.waiver_id END AS waiver_id,
    bool_and(NOT k.applicable OR e.counts) OVER (
        PARTITION BY u.system_key, u.unit_key ORDER BY k.stage_no
    ) AS reached,
    e.observed_at,
    e.note,
    e.dataset,
    e._ingest,
    e._row,
    e._sheet
FROM core.units u
JOIN core.systems s ON s.system_key = u.system_key
JOIN core.kind_stages k ON k.kind = s.kind AND k.supply_model = s.supply_model AND k.stage_no > 0
JOIN counted e ON e.system_key = u.system_key AND e.unit_key = u.unit_key AND e.stage = k.stage
