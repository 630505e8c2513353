-- table: mart.classes
-- grain: one row is a kind of system in its own unit; kinds are never added up
-- key: kind
-- pct_of_due counts only capacity that serves due lines, so a surplus elsewhere never hides a shortfall.
WITH systems AS (
    SELECT kind, any_value(unit) AS unit, sum(contracted) AS contracted, sum(due) AS due,
        sum(schedulable) AS schedulable,
        count(*) AS systems, count(DISTINCT site_id) AS sites
    FROM mart.systems GROUP BY kind
),
lines AS (
    SELECT
        kind,
        min(CASE status WHEN 'red' THEN 1 WHEN 'amber' THEN 2 WHEN 'grey' THEN 3 ELSE 4 END) AS status_rank,
        sum(quantity) FILTER (status = 'green') AS green,
        sum(quantity) AS quantity,
        sum(schedulable) FILTER (due_now) AS due_schedulable
    FROM mart.commitments GROUP BY kind
),
waived AS (
    SELECT
        s.kind,
        sum(w.quantity) AS quantity,
        min(w.earliest_expiry) AS earliest_expiry,
        string_agg(w.waiver_ids, ', ' ORDER BY s.system_key) AS waiver_ids
    FROM core.waived_systems w JOIN mart.systems s ON s.system_key = w.system_key GROUP BY s.kind
),
missing AS (
    SELECT s.kind, x.missing, sum(x.quantity) AS quantity, count(*) AS units
    FROM core.excluded_units x JOIN core.systems s ON s.system_key = x.system_key WHERE x.no_data GROUP BY ALL
),
excluded AS (
    SELECT kind, sum(quantity) AS quantity,
        string_agg(units || CASE units WHEN 1 THEN ' unit'
            ELSE ' units' END || ' without evidence for the stage ' || replace(missing, '_', ' '), ', ' ORDER BY missing)
            AS note
    FROM missing GROUP BY kind
)
SELECT
    s.kind,
    s.unit,
    s.contracted::DECIMAL(18, 3) AS contracted,
    s.due::DECIMAL(18, 3) AS due,
    s.schedulable::DECIMAL(18, 3) AS schedulable,
    CASE WHEN s.due > 0 THEN round(100 * coalesce(l.due_schedulable, 0) / s.due, 1) END::DECIMAL(6, 1) AS pct_of_due,
    past.schedulable::DECIMAL(18, 3) AS previous_schedulable,
    (s.schedulable - past.schedulable)::DECIMAL(18, 3) AS delta,
    CASE l.status_rank WHEN 1 THEN 'red' WHEN 2 THEN 'amber' WHEN 4 THEN 'green' ELSE 'grey' END AS status,
    CASE WHEN l.quantity > 0 THEN round(coalesce(l.green, 0) / l.quantity, 4) END::DECIMAL(6, 4) AS green_share,
    coalesce(w.quantity, 0)::DECIMAL(18, 3) AS waived_quantity,
    w.earliest_expiry AS earliest_waiver_expiry,
    w.waiver_ids,
    coalesce(x.quantity, 0)::DECIMAL(18, 3) AS excluded_quantity,
    x.note AS excluded_note,
    s.systems,
    s.sites
FROM systems s
CROSS JOIN core.settings p
LEFT JOIN lines l ON l.kind = s.kind
LEFT JOIN waived w ON w.kind = s.kind
LEFT JOIN excluded x ON x.kind = s.kind
LEFT JOIN (
    SELECT h.week, h.kind, sum(h.schedulable) AS schedulable FROM issued_systems h GROUP BY ALL
) past ON past.week = p.previous_week AND past.kind = s.kind
