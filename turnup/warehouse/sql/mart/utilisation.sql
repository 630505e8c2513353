-- table: mart.utilisation
-- grain: one row is a system with the use of its devices in the week
-- key: system_id
-- idle cost: for each device under the threshold, allocated hours x (1 - active share) x monthly unit cost x 12 / 8760.
WITH cost AS (
    SELECT system_id_key AS system_key, max(unit_cost) AS unit_cost, arg_max(currency, unit_cost) AS currency
    FROM stg.commitments WHERE unit_cost IS NOT NULL GROUP BY ALL
)
SELECT
    y.system_id,
    y.system_key,
    count(*) AS devices,
    count(*) FILTER (d.allocated_hours > 0) AS allocated_devices,
    count(*) FILTER (d.active < p.use_threshold) AS under_threshold,
    sum(d.allocated_hours ORDER BY d.unit_key, d.device) / nullif(sum(d.hours ORDER BY d.unit_key, d.device), 0)
        AS allocated_share,
    sum(d.active * d.allocated_hours ORDER BY d.unit_key, d.device)
        / nullif(sum(d.allocated_hours ORDER BY d.unit_key, d.device), 0) AS active_share,
    (sum(d.allocated_hours * (1 - d.active) ORDER BY d.unit_key, d.device) FILTER (d.active < p.use_threshold)
        * any_value(c.unit_cost)::DOUBLE * 12 / 8760)::DECIMAL(18, 2) AS idle_cost,
    any_value(c.currency) AS currency,
    any_value(p.use_threshold) AS threshold
FROM core.device_use d
CROSS JOIN core.settings p
JOIN core.systems y ON y.system_key = d.system_key
LEFT JOIN cost c ON c.system_key = d.system_key
GROUP BY y.system_id, y.system_key
