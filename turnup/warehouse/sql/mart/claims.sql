-- table: core.claims
-- grain: one row is a claim that the evidence contradicts
-- key: item
-- claimed green (or a stage, or 100 %, or a task that is done) where the evidence says otherwise. capacity: what of the
-- claim is not there: of a system what is not schedulable, of a stage what has not reached it, of an asset or an activity
-- what it holds. severity: of a claimed status by the computed colour, red worst.
SELECT
    'status' AS source, 'systems' AS dataset, s.system_key, s.system_id AS subject, s.system_key AS item,
    c._ingest, c._row, c._sheet,
    'green' AS claimed, s.status AS computed, s.status_reason AS reason,
    CASE s.status WHEN 'red' THEN 'critical' WHEN 'grey' THEN 'high' ELSE 'medium' END AS severity,
    (s.contracted - s.schedulable)::DECIMAL(18, 3) AS capacity,
    s.system_id || ' is claimed green; computed ' || s.status || ': ' || s.status_reason AS message
FROM mart.systems s JOIN core.systems c ON c.system_key = s.system_key
WHERE s.claimed_status = 'green'
  AND (s.status IN ('red', 'amber') OR (s.status = 'grey' AND s.schedulable < s.contracted))
UNION ALL
SELECT
    'stage', 'systems', s.system_key, s.system_id, s.system_key || '/stage',
    s._ingest, s._row, s._sheet,
    s.claimed_stage, figure(f.reached) || ' of ' || figure(f.contracted) || ' ' || s.unit,
    'no capacity has reached the claimed stage', 'high', (f.contracted - f.reached)::DECIMAL(18, 3),
    s.system_id || ' is claimed at stage ' || s.claimed_stage || ', which ' || figure(f.reached) || ' of '
        || figure(f.contracted) || ' ' || s.unit || ' have reached'
FROM core.systems s
JOIN core.funnel f ON f.system_key = s.system_key AND f.applicable
    AND replace(f.stage, '_', ' ') = replace(lower(trim(s.claimed_stage)), '_', ' ')
WHERE f.reached = 0 AND f.contracted > 0 AND f.stage <> 'contracted'
UNION ALL
SELECT
    'percent', 'installs', i.system_id_key, coalesce(i.name, i.asset_id), i.asset_id_key,
    i._ingest, i._row, i._sheet,
    figure(i.claimed_percent) || ' %', 'not racked', 'no racked date at the data date', 'medium',
    coalesce(u.capacity, 0)::DECIMAL(18, 3),
    coalesce(i.name, i.asset_id) || ' is claimed ' || figure(i.claimed_percent) || ' % complete but is not racked'
FROM stg.installs i
CROSS JOIN core.settings p
LEFT JOIN core.units u ON u.system_key = i.system_id_key AND u.unit_key = i.asset_id_key
WHERE i.claimed_percent >= 100 AND NOT coalesce(i.racked <= p.as_of, false)
QUALIFY row_number() OVER (PARTITION BY i.asset_id_key ORDER BY i._ingest, i._sheet, i._row) = 1
UNION ALL
SELECT
    'activity', a.dataset, a.system_key, a.subject, a.item, a._ingest, a._row, a._sheet,
    'done' || coalesce(' on ' || c.claimed_finish, ''), 'gate ' || c.gate || ' not passed',
    figure(c.remaining_days) || ' working days are taken to remain', 'high',
    coalesce(g.waiting, 0)::DECIMAL(18, 3),
    a.message
FROM core.found_activities a
JOIN core.activity_claims c ON a.item = 'activity/' || c.task
LEFT JOIN (
    SELECT system_key, gate, sum(waiting_capacity) AS waiting FROM mart.gates GROUP BY ALL
) g ON g.system_key = c.system_key AND g.gate = c.gate
WHERE a.code = 'watermelon'
