-- table: core.waivers
-- grain: one row is a waiver that was not closed
-- key: id_key
-- In force: it has an approver and its expiry has not passed. reach: the whole system (no scope, or "all"), one
-- block, or the units that its scope names.
SELECT
    r.id_key,
    r.id,
    r.system_id_key AS system_key,
    r.system_id,
    lower(trim(r.gate)) AS gate,
    lower(trim(r.criterion)) AS criterion,
    lower(trim(r.scope)) AS scope,
    CASE
        WHEN coalesce(lower(trim(r.scope)), 'all') IN ('', '*', 'all', 'system') THEN 'system'
        WHEN b.block_key IS NOT NULL THEN 'block'
        ELSE 'units'
    END AS reach,
    r.approver,
    r.expiry,
    r.compensating_action,
    coalesce(r.expiry >= p.as_of, false) AND nullif(trim(r.approver), '') IS NOT NULL AS in_force,
    r.owner,
    r.title
FROM stg.raid r
CROSS JOIN core.settings p
LEFT JOIN core.blocks b ON b.system_key = r.system_id_key AND b.block_key = lower(trim(r.scope))
WHERE r.type = 'waiver' AND (r.closed IS NULL OR r.closed > p.as_of) AND r.opened <= p.as_of
QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row) = 1
