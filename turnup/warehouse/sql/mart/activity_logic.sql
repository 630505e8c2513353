-- table: mart.activity_logic
-- grain: one row is a part of a delivered schedule's logic: a link, or what an activity lasts and is held to
-- key: project, what, subject
WITH links AS (
    SELECT
        coalesce(project_id, '') AS project,
        'link' AS what,
        pred || ' → ' || succ || ' ' || coalesce(upper(type), 'FS')
            || CASE WHEN coalesce(pred_project_id_key, project_id_key, '') <> coalesce(project_id_key, '')
                THEN ' from ' || pred_project_id ELSE '' END AS subject,
        string_agg(
            CASE
                WHEN lag_percent IS NOT NULL THEN lag_percent || ' % lag'
                WHEN coalesce(lag_h, lag_d, 0) = 0 THEN 'no lag'
                WHEN lag_h IS NOT NULL THEN round(lag_h, 2) || ' h lag'
                ELSE lag_d || ' d lag'
            END, '; ' ORDER BY _ingest, _row
        ) AS says
    FROM stg.activity_links WHERE pred IS NOT NULL AND succ IS NOT NULL
    GROUP BY ALL
),
told AS (
    SELECT
        coalesce(project_id, '') AS project,
        coalesce(display_code, task) AS code,
        any_value(name) AS name,
        string_agg(coalesce(duration_h || ' h', duration_d || ' d'), '; ' ORDER BY _ingest, _row) AS duration,
        string_agg(constraint_type || coalesce(' ' || coalesce(constraint_at::DATE, constraint_date), ''), '; '
            ORDER BY _ingest, _row) AS held_to
    FROM stg.activities WHERE coalesce(activity_kind, '') <> 'summary' AND coalesce(display_code, task) IS NOT NULL
    GROUP BY ALL
)
SELECT project, what, subject, says FROM links
UNION ALL
SELECT project, 'duration', code || coalesce(' ' || name, ''), duration FROM told
UNION ALL
SELECT project, 'constraint', code || coalesce(' ' || name, ''), held_to FROM told WHERE held_to IS NOT NULL
