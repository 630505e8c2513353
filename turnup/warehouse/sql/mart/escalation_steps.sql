-- table: mart.escalation_steps
-- grain: one row is a step in the life of an escalation: raised, level, closed or reopened
-- key: escalation_id, step_no
WITH before AS (
    SELECT b.* EXCLUDE (week)
    FROM past_escalation_steps b
    JOIN core.settings p ON b.week = p.previous_week
    SEMI JOIN mart.escalations e ON e.escalation_id = b.escalation_id
)
SELECT escalation_id, step_no, step, step_on, in_week, level, addressee FROM before
UNION ALL
SELECT
    e.escalation_id,
    (coalesce((SELECT max(b.step_no) FROM before b WHERE b.escalation_id = e.escalation_id), 0) + 1)::INTEGER,
    e.change, p.as_of, p.week, e.level, e.addressee
FROM mart.escalations e
CROSS JOIN core.settings p
WHERE e.change <> 'unchanged'
