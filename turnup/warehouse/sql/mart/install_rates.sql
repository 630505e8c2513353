-- table: mart.install_rates
-- grain: one row is a crew of a site and a step of installation that it did in the last four weeks
-- key: site_id, crew, step
-- A day on which the crew did nothing of the step is no day worked. The rate of fewer devices than judged_from is empty.
WITH days AS (
    SELECT site_id, crew, step, any_value(step_no) AS step_no, done_on, sum(devices) AS devices
    FROM core.crew_days GROUP BY site_id, crew, step, done_on
)
SELECT
    d.site_id,
    d.crew,
    d.step,
    any_value(d.step_no)::INTEGER AS step_no,
    sum(d.devices)::INTEGER AS devices,
    count(*)::INTEGER AS days_worked,
    CASE WHEN sum(d.devices) >= any_value(p.judged_from) THEN round(sum(d.devices)::DECIMAL(18, 4) / count(*), 2)
    END::DECIMAL(12, 2) AS per_day,
    max(d.devices)::INTEGER AS best_day,
    max(d.done_on) AS last_day,
    any_value(p.rate_days) AS window_days,
    any_value(p.judged_from) AS judged_from
FROM days d CROSS JOIN core.settings p
WHERE d.done_on > p.as_of - p.rate_days
GROUP BY d.site_id, d.crew, d.step
