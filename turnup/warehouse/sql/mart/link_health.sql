-- table: mart.link_health
-- grain: one row is a system with cables: the plan against what was observed, and each check
-- key: system_id
-- A check counts cables that are where the plan has them. cages: optics of the plan by side, one for each cage.
WITH optics AS (
    SELECT system_key, count(DISTINCT (device_key, cage_key)) AS cages
    FROM core.cable_ends WHERE "view" = 'planned'
      AND NOT coalesce(regexp_matches(lower(media), '\b(dac|aoc|acc|aec|copper|cat ?\d\w?|rj-?45|utp)\b'), false)
    GROUP BY ALL
),
swaps AS (
    SELECT c.system_key, count(*) AS swaps
    FROM core.link_swaps w JOIN core.link_check c ON c.low_end = w.low_end AND c.high_end = w.high_end GROUP BY ALL
)
SELECT
    coalesce(any_value(s.system_id), c.system_key, '(no system)') AS system_id,
    count(*) FILTER (c.class NOT IN ('unplanned', 'no plan')) AS planned,
    count(*) FILTER (c.class = 'ok') AS ok,
    count(*) FILTER (c.class = 'wrong port') AS wrong_port,
    count(*) FILTER (c.class = 'wrong device') AS wrong_device,
    count(*) FILTER (c.class = 'missing') AS missing,
    count(*) FILTER (c.class = 'no data') AS no_data,
    count(*) FILTER (c.class = 'unplanned') AS unplanned,
    coalesce(any_value(w.swaps), 0) AS swaps,
    count(*) FILTER (c.class = 'ok' AND h.state_check = 'fault') AS down,
    count(*) FILTER (c.class = 'ok' AND h.speed_check = 'fault') AS slow,
    count(*) FILTER (c.class = 'ok' AND h.lanes_check = 'fault') AS narrow,
    count(*) FILTER (c.class = 'ok' AND h.rx_check = 'fault') AS rx_faults,
    count(*) FILTER (c.class = 'ok' AND h.rx_check = 'no data') AS rx_no_data,
    count(*) FILTER (c.class = 'ok' AND (h.pre_fec_check = 'fault' OR h.post_fec_check = 'fault')) AS ber_faults,
    count(*) FILTER (c.class = 'ok' AND h.post_fec_check = 'ok') AS ber_shown,
    count(*) FILTER (c.class = 'ok' AND h.post_fec_check = 'no data') AS ber_no_data,
    max(h.post_fec_bound) FILTER (c.class = 'ok') AS worst_ber_bound,
    count(*) FILTER (c.class = 'ok' AND h.flaps_check = 'fault') AS flapping,
    count(*) FILTER (c.class = 'ok' AND h.flaps_check = 'no data') AS flaps_no_data,
    any_value(o.cages) AS cages,
    max(h.observed_at) AS observed_at
FROM core.link_check c
LEFT JOIN core.link_health h ON h.low_end = c.low_end AND h.high_end = c.high_end
LEFT JOIN core.systems s ON s.system_key = c.system_key
LEFT JOIN optics o ON o.system_key IS NOT DISTINCT FROM c.system_key
LEFT JOIN swaps w ON w.system_key IS NOT DISTINCT FROM c.system_key
WHERE c.class <> 'no plan'
GROUP BY c.system_key
