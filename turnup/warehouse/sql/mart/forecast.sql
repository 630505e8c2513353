-- table: mart.forecast
-- grain: one row is a forecast of a commitment line or of a kind
-- key: scope_type, scope
SELECT
    scope_type, scope, unit, target, remaining, weeks_of_history, method, iterations, seed,
    p50, p80, p95, confidence, contract_date, note, complete_on
FROM core.forecasts
