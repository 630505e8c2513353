-- table: mart.decisions
-- grain: one row is a decision that is open, or was closed in the reporting week
-- key: id
SELECT
    r.id,
    r.title,
    r.options,
    r.decider,
    r.needed_by,
    r.consequence,
    r.impact_days,
    r.impact_units,
    r.opened AS raised,
    (coalesce(r.closed, p.as_of) - r.opened)::INTEGER AS age_days,
    r.closed IS NULL AND coalesce(r.needed_by < p.as_of, false) AS overdue,
    r.closed,
    r.outcome,
    r.recommended,
    r.owner,
    r.system_id
FROM mart.raid r
CROSS JOIN core.settings p
WHERE r.type = 'decision'
