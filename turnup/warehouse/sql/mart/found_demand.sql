-- table: core.found_demand
-- grain: one row is a row of a system's demand curve that nothing can use
-- key: code, item
-- Pairs of regions have a colon in their scope and are read with the network (core.demand_unread). Of systems only storage
-- is held against a curve; a scope that names no system may be a misspelt one.
WITH unread AS (
    SELECT
        d.*, s.system_key, s.kind,
        CASE
            WHEN s.system_key IS NULL THEN 'no system is called ''' || d.scope || ''''
            WHEN try_strptime(trim(d.week) || '-1', '%G-W%V-%u') IS NULL THEN 'expected an ISO week such as 2026-W42'
            WHEN d.mid IS NULL THEN 'it has no middle case'
        END AS why
    FROM stg.demand d
    LEFT JOIN core.systems s ON s.system_key = d.scope_key
    WHERE NOT contains(d.scope, ':')
)
SELECT
    'demand_unread' AS code, 'warning' AS severity, 'demand' AS dataset, u.system_key,
    u.scope AS subject, u.scope || ' ' || u.week AS item, u._ingest, u._row, u._sheet,
    'demand of ' || u.scope || ' in ' || u.week || ' is not used: ' || u.why AS message
FROM unread u
WHERE u.why IS NOT NULL AND (u.system_key IS NULL OR u.kind = 'storage')
QUALIFY row_number() OVER (PARTITION BY u.scope, u.week ORDER BY u._ingest, u._sheet, u._row) = 1
