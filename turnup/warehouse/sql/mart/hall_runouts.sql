-- table: mart.hall_runouts
-- grain: one row is a resource of a hall that does not cover what is planned in it, with the first week and who is left out
-- key: site_id, hall, resource
-- forecast_week: the first week in which it does not cover what is forecast to be installed; none where it does.
SELECT
    r.site_id, r.hall, r.resource, r.week_end, r.ready, r.load, r.short, r.pushed_by, r.covered_on,
    min(w.week_end) FILTER (w.headroom_forecast < 0) AS forecast_week
FROM core.hall_runouts r
LEFT JOIN mart.site_headroom w ON w.site_id = r.site_id AND w.hall = r.hall AND w.resource = r.resource
GROUP BY ALL
