-- table: mart.forecast_drivers
-- grain: one row is a gate, delivery, activity or risk on the driving path to what is forecast
-- key: scope_type, scope, rank
SELECT * FROM core.forecast_drivers
