-- table: mart.forecast
-- grain: one row is a forecast of a commitment line, of a system or of a kind
-- key: scope_type, scope
-- Slip is against the P50 as issued last week, and against the first P50 issued, whatever was promised anew since.
WITH first_issued AS (
    SELECT scope_type, scope, arg_min(p50, week) AS p50
    FROM past_forecast WHERE p50 IS NOT NULL GROUP BY ALL
),
led AS (
    SELECT scope_type, scope, first(name ORDER BY rank) AS driver FROM core.forecast_drivers GROUP BY ALL
)
SELECT
    f.scope_type, f.scope, f.unit, f.target, f.remaining, f.weeks_of_history, f.method, f.iterations, f.seed,
    f.p50, f.p80, f.p95, f.confidence, f.contract_date, f.note, f.complete_on,
    f.kind, f.commit_date, f.commit_confidence, f.need_date, f.need_confidence, f.likely, f.merge_bias_days,
    past.p50 AS p50_before,
    past.p80 AS p80_before,
    past.confidence AS confidence_before,
    (f.p50 - past.p50)::INTEGER AS slip_week_days,
    (f.p50 - b.p50)::INTEGER AS slip_baseline_days,
    l.driver
FROM core.forecasts f
CROSS JOIN core.settings p
LEFT JOIN past_forecast past ON past.week = p.previous_week AND past.scope_type = f.scope_type AND past.scope = f.scope
LEFT JOIN first_issued b ON b.scope_type = f.scope_type AND b.scope = f.scope
LEFT JOIN led l ON l.scope_type = f.scope_type AND l.scope = f.scope
