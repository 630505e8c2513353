-- table: mart.positions
-- grain: one row is a system with its devices against the rack plan; every device is in one class
-- key: system_key
SELECT
    coalesce(system_key, '') AS system_key,
    any_value(system_id) AS system_id,
    count(*)::INTEGER AS devices,
    count(*) FILTER (state = 'as planned')::INTEGER AS as_planned,
    count(*) FILTER (state = 'other position')::INTEGER AS other_position,
    count(*) FILTER (state = 'other rack')::INTEGER AS other_rack,
    count(*) FILTER (state = 'no position')::INTEGER AS no_position,
    count(*) FILTER (state = 'no plan')::INTEGER AS no_plan,
    count(*) FILTER (state = 'not placed')::INTEGER AS not_placed
FROM core.device_positions
GROUP BY coalesce(system_key, '')
