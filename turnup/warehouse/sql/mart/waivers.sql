-- table: mart.waivers
-- grain: one row is a waiver that was not closed
-- key: id
-- A waiver counts while it has an approver and its expiry has not passed; quantity is filled where it carries capacity.
SELECT
    r.id,
    s.system_key,
    coalesce(s.system_id, r.system_id) AS system_id,
    lower(trim(r.gate)) AS gate,
    lower(trim(r.criterion)) AS criterion,
    lower(trim(r.scope)) AS scope,
    r.approver,
    r.expiry,
    (r.expiry - p.as_of)::INTEGER AS days_left,
    r.compensating_action,
    f.reached AS quantity,
    coalesce(r.expiry < p.as_of, true) OR r.approver IS NULL AS expired,
    r.owner,
    r.title
FROM stg.raid r
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = r.system_id_key
LEFT JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
WHERE r.type = 'waiver' AND (r.closed IS NULL OR r.closed > p.as_of) AND r.opened <= p.as_of
QUALIFY row_number() OVER (PARTITION BY r.id ORDER BY r._ingest, r._sheet, r._row) = 1
