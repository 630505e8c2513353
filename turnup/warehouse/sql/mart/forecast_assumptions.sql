-- table: mart.forecast_assumptions
-- grain: one row is an open piece of the network with its distribution, and what that rests on
-- key: node
SELECT * FROM core.forecast_assumptions
