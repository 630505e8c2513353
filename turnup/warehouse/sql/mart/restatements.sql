-- table: mart.restatements
-- grain: one row is a restated week and a kind: what was issued first, what stands now, and what it was made again from
-- key: week, kind
-- The week before and the week itself; a restatement that changes no figure is shown with a difference of 0.
WITH compared AS (
    SELECT h.week, h.kind, h.unit, h.schedulable AS issued, 0 AS now FROM issued_systems h
    JOIN core.settings p ON h.week = p.previous_week
    UNION ALL
    SELECT h.week, h.kind, h.unit, 0, h.schedulable FROM past_systems h JOIN core.settings p ON h.week = p.previous_week
    UNION ALL
    SELECT h.week, h.kind, h.unit, h.schedulable, 0 FROM issued_now h
    UNION ALL
    SELECT p.week, s.kind, s.unit, 0, f.reached
    FROM core.funnel f JOIN core.systems s ON s.system_key = f.system_key CROSS JOIN core.settings p
    WHERE f.stage = 'schedulable'
),
reasons AS (
    SELECT week, any_value(name) AS name, any_value(first_name) AS first_name, any_value(reason) AS reason,
        string_agg(change || ' ' || what, ', ' ORDER BY change, what) AS made_from,
        count(*) FILTER (delivery_id <> '') AS deliveries
    FROM restated_by GROUP BY week
)
SELECT
    r.week,
    r.name,
    r.first_name,
    c.kind,
    any_value(c.unit) AS unit,
    sum(c.issued)::DECIMAL(18, 3) AS issued,
    sum(c.now)::DECIMAL(18, 3) AS now,
    (sum(c.now) - sum(c.issued))::DECIMAL(18, 3) AS difference,
    nullif(r.reason, '') AS reason,
    r.made_from,
    r.deliveries
FROM compared c
JOIN reasons r ON r.week = c.week
GROUP BY r.week, r.name, r.first_name, c.kind, r.reason, r.made_from, r.deliveries
