-- table: mart.definition_changes
-- grain: one row is a definition that is not what it was the week before
-- key: what, subject, name
-- Nothing is known of a week before that kept no definitions.
WITH before AS (
    SELECT h.* FROM past_definitions h JOIN core.settings p ON h.week = p.previous_week
)
SELECT
    coalesce(n.what, b.what) AS what,
    coalesce(n.subject, b.subject) AS subject,
    coalesce(n.name, b.name) AS name,
    b.says AS before,
    n.says AS now
FROM mart.definitions n
FULL JOIN before b ON b.what = n.what AND b.subject = n.subject AND b.name = n.name
WHERE EXISTS (SELECT 1 FROM before) AND n.says IS DISTINCT FROM b.says
