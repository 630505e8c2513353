-- table: core.hall_weeks
-- grain: one row is a resource of a hall at a week end: what is ready, and what is planned to need it
-- key: site_key, hall_key, resource, week_no
-- Week 0 is the data date; the year after it follows. A phase counts from its planned day; one that is overdue counts
-- nothing until it is ready or dated anew. A site with blocks that name none of its halls has one more row for the whole
-- site, hall_key '*'. headroom is null where it hangs on a load or an offer that nobody states; where the known loads
-- alone are too many, it is at most what is shown.
WITH weeks AS (
    SELECT n::INTEGER AS week_no, (p.as_of + (7 * n)::INTEGER)::DATE AS week_end FROM core.settings p, range(0, 53) t(n)
),
scopes AS (
    SELECT DISTINCT site_key, hall_key, resource FROM core.hall_supply
    UNION
    SELECT f.site_key, '*', f.resource FROM core.hall_supply f
    SEMI JOIN (SELECT site_key FROM core.hall_loads WHERE hall_key IS NULL) l ON l.site_key = f.site_key
),
offered AS (
    SELECT
        s.site_key, s.hall_key, s.resource, w.week_no, w.week_end, min(f.site_id) AS site_id,
        CASE s.hall_key WHEN '*' THEN 'the whole site' ELSE min(f.hall) END AS hall,
        sum(coalesce(CASE WHEN f.counts THEN f.later ELSE f.now END, 0)) AS ready,
        count(*) FILTER (CASE WHEN f.counts THEN f.later ELSE f.now END IS NULL) AS silent
    FROM scopes s
    CROSS JOIN weeks w
    CROSS JOIN core.settings p
    JOIN LATERAL (
        SELECT h.*, w.week_no > 0 AND h.day >= p.as_of AND h.day <= w.week_end AS counts FROM core.hall_supply h
    ) f ON f.site_key = s.site_key AND f.resource = s.resource AND (s.hall_key = '*' OR f.hall_key = s.hall_key)
    GROUP BY s.site_key, s.hall_key, s.resource, w.week_no, w.week_end
),
loads AS (
    SELECT
        l.site_key, s.hall_key, s.resource, w.week_no,
        sum(coalesce(CASE s.resource WHEN 'racks' THEN l.racks ELSE l.kw END, 0)) AS load,
        count(*) FILTER (CASE s.resource WHEN 'racks' THEN l.racks ELSE l.kw END IS NULL) AS unknown,
        count(*) AS blocks
    FROM scopes s
    JOIN core.hall_loads l ON l.site_key = s.site_key AND (s.hall_key = '*' OR l.hall_key = s.hall_key)
    CROSS JOIN core.settings p
    JOIN weeks w ON w.week_end >= coalesce(l.day, p.as_of)
    GROUP BY ALL
)
SELECT
    o.site_key, o.hall_key, o.resource, o.week_no, o.week_end, o.site_id, o.hall,
    o.ready::DECIMAL(18, 3) AS ready,
    coalesce(l.load, 0)::DECIMAL(18, 3) AS load,
    coalesce(l.blocks, 0)::INTEGER AS blocks,
    coalesce(l.unknown, 0)::INTEGER AS unknown_loads,
    o.silent::INTEGER AS silent_phases,
    CASE WHEN o.silent = 0 AND (coalesce(l.unknown, 0) = 0 OR o.ready < coalesce(l.load, 0))
        THEN o.ready - coalesce(l.load, 0) END::DECIMAL(18, 3) AS headroom
FROM offered o
LEFT JOIN loads l USING (site_key, hall_key, resource, week_no)
