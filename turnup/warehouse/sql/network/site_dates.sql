-- table: core.site_dates
-- grain: one row is a site whose power, cooling or racks do not yet cover its systems, with the day on which they will
-- key: site_key
-- ready_on is the first planned day by which all three cover the design of the site's systems; none where what is planned
-- does not cover it, or is not dated. A phase that is overdue is still to come.
WITH demand AS (
    SELECT site_key, sum(design_kw) AS kw, sum(racks) AS racks FROM core.systems GROUP BY ALL
),
phases AS (
    SELECT
        f.site_id_key AS site_key,
        CASE WHEN f.actual_ready <= p.as_of THEN NULL ELSE f.planned_ready END AS day,
        coalesce(f.actual_ready <= p.as_of, false) AS ready,
        CASE WHEN f.actual_ready <= p.as_of THEN coalesce(f.kw_energised, 0)
            ELSE greatest(coalesce(f.kw_energised, 0), coalesce(f.kw_contracted, 0)) END AS kw,
        coalesce(f.air_kw, 0) + coalesce(f.liquid_kw, 0) AS cooling,
        coalesce(f.racks, 0) AS racks
    FROM stg.facility_capacity f
    CROSS JOIN core.settings p
    QUALIFY row_number() OVER (PARTITION BY f.site_id_key, lower(f.hall), lower(f.phase)
        ORDER BY f._ingest, f._sheet, f._row) = 1
),
cumulated AS (
    SELECT
        f.site_key, f.day, f.ready,
        sum(f.kw) OVER w AS kw, sum(f.cooling) OVER w AS cooling, sum(f.racks) OVER w AS racks
    FROM phases f
    WHERE f.ready OR f.day IS NOT NULL
    WINDOW w AS (PARTITION BY f.site_key ORDER BY f.ready DESC, f.day RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
covered AS (
    SELECT c.site_key, c.day, c.ready
    FROM cumulated c JOIN demand d ON d.site_key = c.site_key
    WHERE c.kw >= coalesce(d.kw, 0) AND c.cooling >= coalesce(d.kw, 0) AND c.racks >= coalesce(d.racks, 0)
)
SELECT s.site_key, min(c.day) AS ready_on
FROM (SELECT DISTINCT site_key FROM phases) s
LEFT JOIN covered c ON c.site_key = s.site_key
GROUP BY s.site_key
HAVING NOT coalesce(bool_or(c.ready), false)
