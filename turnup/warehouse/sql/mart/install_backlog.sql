-- table: mart.install_backlog
-- grain: one row is a system and a step of installation that production devices of it wait for
-- key: system_key, step
-- Every waiting device is in one class of age; the age of one whose last step has no day is unknown, never zero.
SELECT
    coalesce(w.system_key, '') AS system_key,
    any_value(w.system_id) AS system_id,
    w.step,
    any_value(w.step_no)::INTEGER AS step_no,
    count(*)::INTEGER AS waiting,
    count(*) FILTER (w.age_days <= 7)::INTEGER AS to_7_days,
    count(*) FILTER (w.age_days > 7 AND w.age_days <= 14)::INTEGER AS to_14_days,
    count(*) FILTER (w.age_days > 14 AND w.age_days <= 28)::INTEGER AS to_28_days,
    count(*) FILTER (w.age_days > 28)::INTEGER AS over_28_days,
    count(*) FILTER (w.age_days IS NULL)::INTEGER AS unknown_age,
    quantile_disc(w.age_days, 0.5)::INTEGER AS median_days,
    max(w.age_days)::INTEGER AS oldest_days,
    arg_max(w.device, (w.age_days, w.device)) FILTER (w.age_days IS NOT NULL) AS oldest
FROM core.install_waits w
GROUP BY coalesce(w.system_key, ''), w.step
