-- table: core.link_health
-- grain: one row is a cable of the plan with what its ends report, each check judged
-- key: low_end, high_end
-- Of the reports of both ends the worse counts (core.link_reports). flaps_24h: the most losses of the link within any
-- 24 hours of yesterday and today, as one end tells them; where a list of faults has days only, of one day.
-- faults lists what is wrong with a cable that is where the plan has it.
WITH planned AS (
    SELECT low_end, high_end, max(speed_gbps) AS speed_gbps, max(lanes) AS lanes, max(rx_min_dbm) AS rx_min,
        min(rx_max_dbm) AS rx_max
    FROM core.link_ends WHERE "view" = 'planned' GROUP BY ALL
),
ports AS (
    SELECT DISTINCT low_end, high_end, a_name AS name, port_of(a_device_key, a_port_key) AS port FROM core.link_ends
    WHERE "view" = 'planned'
    UNION SELECT low_end, high_end, b_name, port_of(b_device_key, b_port_key) FROM core.link_ends WHERE "view" = 'planned'
),
flapping AS (
    SELECT low_end, high_end, max(times) AS times FROM (
        SELECT p.low_end, p.high_end, count(*) OVER (
            PARTITION BY p.low_end, p.high_end, p.name, p.port, f.opened_at IS NULL
            ORDER BY coalesce(f.opened_at, f.opened::TIMESTAMP)
            RANGE BETWEEN CURRENT ROW AND INTERVAL 86399 SECONDS FOLLOWING
        ) AS times
        FROM ports p
        JOIN stg.failures f ON short_name(f.node_key) = p.name
            AND lower(trim(f.kind)) LIKE 'link flap %' AND port_name(trim(lower(f.kind)[11:])) = p.port
        CROSS JOIN core.settings s
        WHERE f.opened BETWEEN s.as_of - 1 AND s.as_of
    ) GROUP BY ALL
),
judged AS (
    SELECT
        p.low_end, p.high_end,
        count(t.one) AS reports,
        CASE WHEN count(t.state) = 0 THEN 'no data' WHEN bool_and(t.state = 'up') FILTER (t.state IS NOT NULL) THEN 'ok'
            ELSE 'fault' END AS state_check,
        string_agg(DISTINCT t.state, ', ' ORDER BY t.state) FILTER (t.state <> 'up') AS states,
        min(t.speed_gbps) AS speed_gbps,
        CASE WHEN min(t.speed_gbps) IS NULL OR p.speed_gbps IS NULL THEN 'no data'
            WHEN min(t.speed_gbps) < p.speed_gbps THEN 'fault' ELSE 'ok' END AS speed_check,
        min(t.lanes) AS lanes,
        worst_check(list(t.lanes_check) FILTER (t.lanes_check <> 'no data')) AS lanes_check,
        min(t.rx_power_dbm) AS rx_low,
        max(t.rx_power_dbm) AS rx_high,
        arg_min(t.one, t.rx_power_dbm - t.rx_min) AS darkest_end,
        coalesce(min(t.rx_min), p.rx_min) AS rx_min,
        coalesce(max(t.rx_max), p.rx_max) AS rx_max,
        worst_check(list(t.rx_check) FILTER (t.rx_check <> 'no data')) AS rx_check,
        max(t.pre_fec_ber) AS pre_fec_ber,
        max(t.pre_fec_bound) AS pre_fec_bound,
        worst_check(list(t.pre_fec_check) FILTER (t.pre_fec_check IS NOT NULL)) AS pre_fec_check,
        max(t.post_fec_ber) AS post_fec_ber,
        max(t.post_fec_bound) AS post_fec_bound,
        worst_check(list(t.post_fec_check) FILTER (t.post_fec_check IS NOT NULL)) AS post_fec_check,
        greatest(max(t.flaps_24h), any_value(f.times)) AS flaps_24h,
        CASE WHEN max(t.flaps_24h) IS NULL AND any_value(f.times) IS NULL THEN 'no data'
            WHEN greatest(max(t.flaps_24h), any_value(f.times)) >= any_value(s.link_flaps) THEN 'fault'
            ELSE 'ok' END AS flaps_check,
        p.speed_gbps AS planned_gbps,
        p.lanes AS planned_lanes,
        max(t.observed_at) AS observed_at
    FROM planned p
    CROSS JOIN core.settings s
    LEFT JOIN core.link_reports t ON t.low_end = p.low_end AND t.high_end = p.high_end
    LEFT JOIN flapping f ON f.low_end = p.low_end AND f.high_end = p.high_end
    GROUP BY p.low_end, p.high_end, p.speed_gbps, p.lanes, p.rx_min, p.rx_max
)
SELECT
    *,
    concat_ws('; ',
        CASE WHEN state_check = 'fault' THEN coalesce(states, 'not up') END,
        CASE WHEN speed_check = 'fault' THEN pieces(speed_gbps) || ' of ' || pieces(planned_gbps) || ' Gbit/s' END,
        CASE WHEN lanes_check = 'fault' THEN pieces(lanes) || ' of ' || pieces(planned_lanes) || ' lanes' END,
        CASE WHEN rx_check = 'fault' AND rx_low < rx_min
            THEN 'receives ' || pieces(rx_low) || ' dBm, at least ' || pieces(rx_min) || ' needed'
            WHEN rx_check = 'fault'
            THEN 'receives ' || pieces(rx_high) || ' dBm, at most ' || pieces(rx_max) || ' allowed' END,
        CASE WHEN pre_fec_check = 'fault' THEN 'pre-FEC bit error ratio ' || printf('%.1e', pre_fec_ber) END,
        CASE WHEN post_fec_check = 'fault' THEN 'post-FEC bit error ratio ' || printf('%.1e', post_fec_ber) END,
        CASE WHEN flaps_check = 'fault' THEN 'down ' || pieces(flaps_24h) || ' times in 24 h' END
    ) AS faults,
    lanes_check = 'fault' OR rx_check = 'fault' OR pre_fec_check = 'fault' OR post_fec_check = 'fault'
        OR flaps_check = 'fault' AS unsound
FROM judged
