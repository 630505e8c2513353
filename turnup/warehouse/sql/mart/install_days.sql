-- table: mart.install_days
-- grain: one row is a day of the last four weeks and a crew's devices of each step on it
-- key: done_on, site_id, crew
SELECT
    d.done_on,
    d.site_id,
    d.crew,
    coalesce(sum(d.devices) FILTER (d.step = 'staged'), 0)::INTEGER AS staged,
    coalesce(sum(d.devices) FILTER (d.step = 'racked'), 0)::INTEGER AS racked,
    coalesce(sum(d.devices) FILTER (d.step = 'cabled'), 0)::INTEGER AS cabled,
    coalesce(sum(d.devices) FILTER (d.step = 'powered'), 0)::INTEGER AS powered,
    coalesce(sum(d.devices) FILTER (d.step = 'provisioned'), 0)::INTEGER AS provisioned
FROM core.crew_days d CROSS JOIN core.settings p
WHERE d.done_on > p.as_of - p.rate_days
GROUP BY d.done_on, d.site_id, d.crew
