-- table: mart.criteria
-- grain: one row is a criterion of a gate for a block of a system, or a need of another system at the gate that asks
-- key: system_key, block, gate, criterion
SELECT * FROM core.own_criteria
UNION ALL BY NAME
SELECT * FROM core.need_criteria
