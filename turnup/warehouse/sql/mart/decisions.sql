-- table: mart.decisions
-- grain: one row is a decision that is open, or was closed in the reporting week
-- key: id
-- delay_days: by how much the P80 of its system moves when it is made a week late rather than in time, which is when it is
-- needed, or now where that is past; delay_note says why that is not known.
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
    r.system_id,
    d.p80,
    d.p80_later,
    d.delay_days,
    d.note AS delay_note
FROM mart.raid r
CROSS JOIN core.settings p
LEFT JOIN core.decision_delays d ON d.id = r.id
WHERE r.type = 'decision'
