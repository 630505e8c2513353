-- table: mart.capacity_transfers
-- grain: one row is a system that gave capacity to others or got some, as pieces or as shares of orders
-- key: system_key, dataset
-- Over the systems of a kind net is zero, unless a part bears another capacity where it arrived.
WITH sides AS (
    SELECT from_key AS system_key, dataset, 0 AS quantity_in, quantity_out FROM core.capacity_moves
    UNION ALL
    SELECT to_key, dataset, quantity_in, 0 FROM core.capacity_moves
)
SELECT
    s.system_key,
    any_value(y.system_id) AS system_id,
    any_value(y.kind) AS kind,
    any_value(y.unit) AS unit,
    s.dataset,
    sum(s.quantity_in)::DECIMAL(18, 3) AS quantity_in,
    sum(s.quantity_out)::DECIMAL(18, 3) AS quantity_out,
    (sum(s.quantity_in) - sum(s.quantity_out))::DECIMAL(18, 3) AS net
FROM sides s
JOIN core.systems y ON y.system_key = s.system_key
GROUP BY s.system_key, s.dataset
