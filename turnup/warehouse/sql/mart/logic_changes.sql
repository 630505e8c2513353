-- table: mart.logic_changes
-- grain: one row is a link, duration or constraint of a schedule that changed, came or went since the last issue
-- key: project, what, subject
-- A schedule that was not there at the last issue has no changes: all of it is new.
WITH before AS (
    SELECT b.* FROM past_activity_logic b JOIN core.settings p ON p.previous_week = b.week
),
both_told AS (
    SELECT DISTINCT project FROM before INTERSECT SELECT DISTINCT project FROM mart.activity_logic
)
SELECT
    coalesce(n.project, b.project) AS project,
    coalesce(n.what, b.what) AS what,
    coalesce(n.subject, b.subject) AS subject,
    CASE WHEN b.subject IS NULL THEN 'added' WHEN n.subject IS NULL THEN 'removed' ELSE 'changed' END AS change,
    b.says AS said_before,
    n.says AS says
FROM mart.activity_logic n
FULL JOIN before b ON b.project = n.project AND b.what = n.what AND b.subject = n.subject
WHERE coalesce(n.project, b.project) IN (SELECT project FROM both_told)
    AND (b.subject IS NULL OR n.subject IS NULL OR b.says IS DISTINCT FROM n.says)
