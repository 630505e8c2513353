-- table: mart.gate_forecasts
-- grain: one row is a gate of a block that has not passed, with its forecast; closed gates are scored by these rows
-- key: system_key, block, gate
SELECT * FROM core.gate_forecasts
