-- table: core.found_link_faults
-- grain: one row is a cable that is where the plan has it and carries badly, by fault, or a system with many of them
-- key: code, item
-- A cable that is down or slow is work to do and stands on the list for technicians; light, bit errors, lost lanes and
-- flaps are faults of a link that passes for up, so each is a finding with the report that shows it.
WITH ok AS (
    SELECT c.low_end, c.high_end, c.system_key, c.a_device, c.a_port, c.b_device, c.b_port, h.flaps_check, h.flaps_24h
    FROM core.link_check c
    JOIN core.link_health h ON h.low_end = c.low_end AND h.high_end = c.high_end
    WHERE c.class = 'ok' AND h.unsound
),
shown AS (
    SELECT
        'link_light' AS code, o.*, r.* EXCLUDE (low_end, high_end, a_device, a_port, flaps_24h),
        r.a_device AS device, r.a_port AS port,
        'receives ' || pieces(r.rx_power_dbm) || ' dBm, '
            || CASE WHEN r.rx_power_dbm < r.rx_min THEN 'at least ' || pieces(r.rx_min) || ' needed'
                ELSE 'at most ' || pieces(r.rx_max) || ' allowed' END AS fault
    FROM ok o JOIN core.link_reports r ON r.low_end = o.low_end AND r.high_end = o.high_end
    WHERE r.rx_check = 'fault'
    UNION ALL
    SELECT
        'link_errors', o.*, r.* EXCLUDE (low_end, high_end, a_device, a_port, flaps_24h), r.a_device, r.a_port,
        concat_ws('; ',
            CASE WHEN r.pre_fec_check = 'fault' THEN 'has a pre-FEC bit error ratio of ' || printf('%.1e', r.pre_fec_ber)
                || ', at most ' || printf('%.1e', s.pre_fec_ber) || ' allowed' END,
            CASE WHEN r.post_fec_check = 'fault'
                THEN 'has a post-FEC bit error ratio of ' || printf('%.1e', r.post_fec_ber)
                || ', at most ' || printf('%.1e', s.post_fec_ber) || ' allowed' END)
    FROM ok o JOIN core.link_reports r ON r.low_end = o.low_end AND r.high_end = o.high_end CROSS JOIN core.settings s
    WHERE r.pre_fec_check = 'fault' OR r.post_fec_check = 'fault'
    UNION ALL
    SELECT
        'link_narrow', o.*, r.* EXCLUDE (low_end, high_end, a_device, a_port, flaps_24h), r.a_device, r.a_port,
        'runs on ' || pieces(r.lanes) || ' of ' || pieces(r.planned_lanes) || ' lanes'
    FROM ok o JOIN core.link_reports r ON r.low_end = o.low_end AND r.high_end = o.high_end
    WHERE r.lanes_check = 'fault'
    UNION ALL
    SELECT
        'link_flapping', o.*, r.* EXCLUDE (low_end, high_end, a_device, a_port, flaps_24h), o.a_device, o.a_port,
        'went down ' || pieces(o.flaps_24h) || ' times in 24 h'
    FROM ok o JOIN core.link_reports r ON r.low_end = o.low_end AND r.high_end = o.high_end
    WHERE o.flaps_check = 'fault'
),
counted AS (
    SELECT *, count(*) OVER (PARTITION BY code, system_key) AS of_system
    FROM (
        SELECT * FROM shown
        QUALIFY row_number() OVER (
            PARTITION BY code, low_end, high_end ORDER BY rx_power_dbm - rx_min, post_fec_ber DESC, one
        ) = 1
    )
)
SELECT
    c.code, 'warning' AS severity, 'links' AS dataset, c.system_key,
    c.device || ':' || c.port AS subject,
    replace(c.low_end, chr(31), ':') || ' - ' || replace(c.high_end, chr(31), ':') AS item,
    c._ingest, c._row, c._sheet,
    c.device || ':' || c.port || ' ' || c.fault || ' (cable ' || c.a_device || ':' || c.a_port || ' - ' || c.b_device
        || ':' || c.b_port || ')' AS message
FROM counted c CROSS JOIN core.settings p WHERE c.of_system <= p.late_listed
UNION ALL
SELECT
    c.code, 'warning', 'links', c.system_key, coalesce(min(s.system_id), 'links'), coalesce(c.system_key, 'links'),
    NULL, NULL, NULL,
    count(*) || ' cables have such a fault, for example ' || min(c.device || ':' || c.port || ' ' || c.fault)
FROM counted c CROSS JOIN core.settings p LEFT JOIN core.systems s ON s.system_key = c.system_key
WHERE c.of_system > p.late_listed GROUP BY c.code, c.system_key
