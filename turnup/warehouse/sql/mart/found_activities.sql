-- table: core.found_activities
-- grain: one row is an activity that is claimed to be done while its gate has not passed
-- key: code, item
SELECT
    'watermelon' AS code, 'warning' AS severity, 'activities' AS dataset, c.system_key, c.code AS subject,
    'activity/' || c.task AS item,
    a._ingest, a._row, a._sheet,
    c.code || ' (' || c.name || ') is claimed done' || coalesce(' on ' || c.claimed_finish, '') || '; gate ' || c.gate
        || ' of ' || s.system_id || CASE c.blocks WHEN 'all' THEN '' ELSE ' ' || c.blocks END
        || ' has not passed: ' || figure(c.remaining_days) || ' working days are taken to remain' AS message
FROM core.activity_claims c
JOIN core.systems s ON s.system_key = c.system_key
LEFT JOIN (
    SELECT *, CASE WHEN project_id = 'main' THEN task ELSE project_id || '/' || task END AS id
    FROM (SELECT * REPLACE (coalesce(project_id, 'main') AS project_id) FROM stg.activities)
    QUALIFY row_number() OVER (PARTITION BY id ORDER BY _ingest, _sheet, _row) = 1
) a ON a.id = c.task
