-- table: mart.first_pass
-- grain: one row is a system and a gate at which first attempts ended in the last six weeks
-- key: system_key, gate
-- The yield of fewer attempts than judged_from is empty; n says why.
SELECT
    f.system_key,
    any_value(s.system_id) AS system_id,
    f.gate,
    count(*)::INTEGER AS finished,
    count(*) FILTER (f.passed)::INTEGER AS passed,
    CASE WHEN count(*) >= any_value(p.judged_from) THEN round(count(*) FILTER (f.passed)::DECIMAL(18, 4) / count(*), 4)
    END::DECIMAL(6, 4) AS yield,
    any_value(p.yield_days) AS window_days,
    any_value(p.judged_from) AS judged_from
FROM core.first_attempts f
CROSS JOIN core.settings p
JOIN core.systems s ON s.system_key = f.system_key
WHERE f.ended_on > p.as_of - p.yield_days
GROUP BY f.system_key, f.gate
