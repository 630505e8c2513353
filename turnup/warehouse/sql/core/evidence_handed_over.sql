-- table: core.evidence_handed_over
-- grain: one row is a unit; has is true, false, or null where there is no data
-- key: system_key, unit_key
-- handed_over: an approving handover decision for its block and no open class A point.
SELECT
    a.system_key,
    a.unit_key,
    'handed_over' AS stage,
    CASE WHEN h.outcome IS NOT NULL THEN h.approved AND h.open_class_a = 0 END AS has,
    a.capacity AS quantity,
    h.decided::TIMESTAMP AS observed_at,
    coalesce(
        h.outcome || ' by ' || h.approver || CASE WHEN h.entitled THEN '' WHEN h.entitled IS NULL THEN ''
            ELSE ', who may not sign it' END || ', open class A points ' || h.open_class_a,
        'no handover decision'
    ) AS note,
    CASE WHEN h.outcome IS NULL THEN a.dataset ELSE 'gate_decisions' END AS dataset,
    coalesce(h._ingest, a._ingest) AS _ingest,
    CASE WHEN h.outcome IS NULL THEN a._row ELSE h._row END AS _row,
    CASE WHEN h.outcome IS NULL THEN a._sheet ELSE h._sheet END AS _sheet
FROM core.asset_units a
LEFT JOIN core.handovers h ON h.system_key = a.system_key AND h.block_key = a.block_key
