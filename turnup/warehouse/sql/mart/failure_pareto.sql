-- table: mart.failure_pareto
-- grain: one row is a kind of fault opened on units of a kind of system in the last 13 weeks
-- key: kind, fault
SELECT
    s.kind,
    coalesce(f.kind, 'kind not recorded') AS fault,
    count(DISTINCT f.failure_key)::INTEGER AS faults,
    count(DISTINCT f.failure_key) FILTER (f.closed IS NULL)::INTEGER AS open_faults,
    count(DISTINCT (f.system_key, f.unit_key))::INTEGER AS units,
    count(DISTINCT f.system_key)::INTEGER AS systems,
    quantile_disc(f.age_days, 0.5)::INTEGER AS median_days,
    min(f.failure_id) AS example
FROM core.unit_failures f
CROSS JOIN core.settings p
JOIN core.systems s ON s.system_key = f.system_key
WHERE f.opened > p.as_of - 91 AND f.opened <= p.as_of
GROUP BY s.kind, coalesce(f.kind, 'kind not recorded')
