-- table: mart.escalations
-- grain: one row is an escalation that is open, or was closed within 13 weeks
-- key: escalation_id
-- It is closed when its cause is gone, and opens again as the same one, at the level it had, when the cause comes back
-- within 13 weeks. Its level rises with the days that the cause stands (since open_since, or since the cause began where
-- that is known) and never falls while it lives. change: what this week did to it; none for one closed in an earlier week.
WITH before AS (
    SELECT b.* FROM past_escalations b JOIN core.settings p ON b.week = p.previous_week
),
opened AS (
    SELECT
        c.*,
        coalesce(b.raised_on, p.as_of) AS raised_on,
        coalesce(b.raised_week, p.week) AS raised_week,
        CASE WHEN b.state = 'open' THEN b.open_since ELSE p.as_of END AS open_since,
        coalesce(b.times_raised, 0) + (b.state IS DISTINCT FROM 'open')::INTEGER AS times_raised,
        b.state AS state_before, b.level_no AS level_before, b.level_since AS level_since_before,
        p.as_of
    FROM core.escalation_causes c
    CROSS JOIN core.settings p
    LEFT JOIN before b ON b.escalation_id = c.escalation_id
),
reached AS (
    SELECT
        o.*,
        (SELECT max(l.level_no) FROM core.escalation_levels l
            WHERE l.rule = o.rule
              AND (l.after_days <= o.as_of - coalesce(least(o.since, o.open_since), o.open_since)
                  OR l.level_no <= o.level_before)) AS level_no
    FROM opened o
),
stands AS (
    SELECT
        r.escalation_id, r.rule, r.subject, r.system_key, r.system_id, r.owner,
        'open' AS state,
        l.level, l.level_no,
        coalesce(l.addressee, r.owner, 'no owner') AS addressee,
        r.raised_on, r.raised_week, r.open_since, r.times_raised,
        CASE WHEN r.level_no = r.level_before THEN r.level_since_before ELSE r.as_of END AS level_since,
        ((r.as_of - r.open_since) // 7)::INTEGER AS weeks_open,
        r.capacity, r.unit, r.days, r.cause, r.evidence,
        NULL::DATE AS closed_on, NULL::VARCHAR AS closed_week, NULL::VARCHAR AS closed_because,
        CASE
            WHEN r.state_before IS NULL THEN 'raised'
            WHEN r.state_before = 'closed' THEN 'reopened'
            WHEN r.level_no <> r.level_before THEN 'level'
            ELSE 'unchanged'
        END AS change
    FROM reached r
    JOIN core.escalation_levels l ON l.rule = r.rule AND l.level_no = r.level_no
),
gone AS (
    SELECT
        b.escalation_id, b.rule, b.subject, b.system_key, b.system_id, b.owner,
        'closed' AS state,
        b.level, b.level_no, b.addressee, b.raised_on, b.raised_week, b.open_since, b.times_raised, b.level_since,
        ((coalesce(b.closed_on, p.as_of) - b.open_since) // 7)::INTEGER AS weeks_open,
        b.capacity, b.unit, b.days, b.cause, b.evidence,
        coalesce(b.closed_on, p.as_of) AS closed_on,
        coalesce(b.closed_week, p.week) AS closed_week,
        coalesce(b.closed_because, CASE WHEN b.rule IN (SELECT rule FROM core.escalation_levels)
            THEN 'its cause is gone' ELSE 'its rule is off' END) AS closed_because,
        CASE WHEN b.state = 'open' THEN 'closed' END AS change
    FROM before b
    CROSS JOIN core.settings p
    ANTI JOIN core.escalation_causes c ON c.escalation_id = b.escalation_id
    WHERE coalesce(b.closed_on, p.as_of) > p.as_of - 91
)
SELECT * FROM stands
UNION ALL BY NAME
SELECT * FROM gone
