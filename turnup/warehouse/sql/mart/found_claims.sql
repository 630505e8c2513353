-- table: core.found_claims
-- grain: one row is a claim that the evidence contradicts
-- key: code, item
-- watermelon: claimed green (or a stage, or 100 %) where the evidence says otherwise.
SELECT
    'watermelon' AS code, 'warning' AS severity, 'systems' AS dataset, s.system_key, s.system_id AS subject,
        s.system_key AS item,
    c._ingest, c._row, c._sheet,
    s.system_id || ' is claimed green; computed ' || s.status || ': ' || s.status_reason AS message
FROM mart.systems s JOIN core.systems c ON c.system_key = s.system_key
WHERE s.claimed_status = 'green'
  AND (s.status IN ('red', 'amber') OR (s.status = 'grey' AND s.schedulable < s.contracted))
UNION ALL
SELECT
    'watermelon', 'warning', 'systems', s.system_key, s.system_id, s.system_key || '/stage',
    s._ingest, s._row, s._sheet,
    s.system_id || ' is claimed at stage ' || s.claimed_stage || ', which ' || figure(f.reached) || ' of '
        || figure(f.contracted) || ' ' || s.unit || ' have reached'
FROM core.systems s
JOIN core.funnel f ON f.system_key = s.system_key AND f.applicable
    AND replace(f.stage, '_', ' ') = replace(lower(trim(s.claimed_stage)), '_', ' ')
WHERE f.reached = 0 AND f.contracted > 0 AND f.stage <> 'contracted'
UNION ALL
SELECT
    'watermelon', 'warning', 'installs', i.system_id_key, coalesce(i.name, i.asset_id), i.asset_id_key,
    i._ingest, i._row, i._sheet,
    coalesce(i.name, i.asset_id) || ' is claimed ' || figure(i.claimed_percent) || ' % complete but is not racked'
FROM stg.installs i CROSS JOIN core.settings p
WHERE i.claimed_percent >= 100 AND NOT coalesce(i.racked <= p.as_of, false)
QUALIFY row_number() OVER (PARTITION BY i.asset_id_key ORDER BY i._ingest, i._sheet, i._row) = 1
