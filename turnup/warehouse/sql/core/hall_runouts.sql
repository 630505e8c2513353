-- table: core.hall_runouts
-- grain: one row is a resource of a hall that does not cover what is planned in it in some week of the next year
-- key: site_key, hall_key, resource
-- week_end: the first such week; pushed_by: the blocks due by then that no longer find room, in the order in which blocks
-- take it. covered_on: the first week after it in which all that is due by then is covered; none where none is.
WITH short AS (
    SELECT * FROM core.hall_weeks WHERE headroom < 0
    QUALIFY row_number() OVER (PARTITION BY site_key, hall_key, resource ORDER BY week_no) = 1
),
queued AS (
    SELECT
        s.site_key, s.hall_key, s.resource, s.ready, l.system_id, l.system_key, l.block, l.block_no, l._ingest, l._row,
        l._sheet, l.netting_order, coalesce(l.day, p.as_of) AS day,
        sum(coalesce(CASE s.resource WHEN 'racks' THEN l.racks ELSE l.kw END, 0)) OVER (
            PARTITION BY s.site_key, s.hall_key, s.resource
            ORDER BY coalesce(l.day, p.as_of), l.netting_order, l.system_key, l.block_no ROWS UNBOUNDED PRECEDING
        ) AS load
    FROM short s
    CROSS JOIN core.settings p
    JOIN core.hall_loads l
        ON l.site_key = s.site_key AND (s.hall_key = '*' OR l.hall_key = s.hall_key)
        AND coalesce(l.day, p.as_of) <= s.week_end
),
pushing AS (
    SELECT
        site_key, hall_key, resource,
        string_agg(CASE block WHEN 'all' THEN system_id ELSE system_id || ' ' || block END, ', '
            ORDER BY day, netting_order, system_key, block_no) AS pushed_by,
        first(system_key ORDER BY day, netting_order, system_key, block_no) AS system_key,
        first(_ingest ORDER BY day, netting_order, system_key, block_no) AS _ingest,
        first(_row ORDER BY day, netting_order, system_key, block_no) AS _row,
        first(_sheet ORDER BY day, netting_order, system_key, block_no) AS _sheet
    FROM queued WHERE load > ready GROUP BY ALL
),
covered AS (
    SELECT w.site_key, w.hall_key, w.resource, min(w.week_end) AS covered_on
    FROM core.hall_weeks w
    JOIN short s USING (site_key, hall_key, resource)
    WHERE w.week_no > s.week_no AND w.headroom >= 0 GROUP BY ALL
)
SELECT
    s.site_key, s.site_id, s.hall_key, s.hall, s.resource, s.week_end, s.ready, s.load,
    (-s.headroom)::DECIMAL(18, 3) AS short, p.pushed_by, p.system_key, c.covered_on, p._ingest, p._row, p._sheet
FROM short s
JOIN pushing p USING (site_key, hall_key, resource)
LEFT JOIN covered c USING (site_key, hall_key, resource)
