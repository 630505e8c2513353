-- table: mart.forecast_tornado
-- grain: one row is an uncertain input of a forecast, with the P80 when it comes out well and when it comes out badly
-- key: scope_type, scope, rank
SELECT * FROM core.forecast_tornado
