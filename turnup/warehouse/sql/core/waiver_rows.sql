-- table: core.waiver_rows
-- grain: one row is a waiver that was not closed, as written
-- key: id_key
-- reach: the whole system (no scope, or "all"), one block, or the units that its scope names.
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
    nullif(trim(r.approver), '') AS approver,
    r.opened,
    r.expiry,
    nullif(trim(r.compensating_action), '') AS compensating_action,
    r.owner,
    r.title,
    r._ingest,
    r._row,
    r._sheet
FROM stg.raid r
CROSS JOIN core.settings p
LEFT JOIN core.blocks b ON b.system_key = r.system_id_key AND b.block_key = lower(trim(r.scope))
WHERE r.type = 'waiver' AND (r.closed IS NULL OR r.closed > p.as_of) AND r.opened <= p.as_of
QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row) = 1
