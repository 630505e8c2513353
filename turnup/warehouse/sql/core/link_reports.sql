-- table: core.link_reports
-- grain: one row is the newest report of an end of a planned cable, each check judged
-- key: low_end, high_end, one
-- A check is ok, a fault, or no data: what nobody told, and an error ratio that was counted over too few bits, is
-- neither. Light is judged within the window that the report names, else the plan's.
WITH told AS (
    SELECT *, coalesce(bits_counted, counted_s::DOUBLE * speed_gbps::DOUBLE * 1e9) AS bits
    FROM core.link_ends
    WHERE "view" = 'observed' AND coalesce(state, 'up') <> 'absent'
    QUALIFY row_number() OVER (
        PARTITION BY low_end, high_end, one ORDER BY observed_at DESC NULLS LAST, _ingest, sheet, _row
    ) = 1
),
planned AS (
    SELECT low_end, high_end, max(speed_gbps) AS speed_gbps, max(lanes) AS lanes, max(rx_min_dbm) AS plan_min,
        min(rx_max_dbm) AS plan_max
    FROM core.link_ends WHERE "view" = 'planned' GROUP BY ALL
)
SELECT
    t.low_end, t.high_end, t.one, t.a_device, t.a_port, t.state, t.speed_gbps, t.lanes,
    p.lanes AS planned_lanes,
    CASE WHEN t.lanes IS NULL OR p.lanes IS NULL THEN 'no data' WHEN t.lanes < p.lanes THEN 'fault' ELSE 'ok' END
        AS lanes_check,
    t.rx_power_dbm,
    coalesce(t.rx_min_dbm, p.plan_min) AS rx_min,
    coalesce(t.rx_max_dbm, p.plan_max) AS rx_max,
    CASE
        WHEN t.rx_power_dbm < rx_min OR t.rx_power_dbm > rx_max THEN 'fault'
        WHEN t.rx_power_dbm >= rx_min THEN 'ok'
        ELSE 'no data'
    END AS rx_check,
    t.pre_fec_ber,
    ber_bound(t.pre_fec_ber, t.bits) AS pre_fec_bound,
    CASE WHEN t.pre_fec_ber IS NOT NULL THEN ber_verdict(t.pre_fec_ber, t.bits, s.pre_fec_ber) END AS pre_fec_check,
    t.post_fec_ber,
    ber_bound(t.post_fec_ber, t.bits) AS post_fec_bound,
    CASE WHEN t.post_fec_ber IS NOT NULL THEN ber_verdict(t.post_fec_ber, t.bits, s.post_fec_ber) END AS post_fec_check,
    t.flaps_24h, t.observed_at, t._ingest, t._row, t._sheet
FROM told t
JOIN planned p ON p.low_end = t.low_end AND p.high_end = t.high_end
CROSS JOIN core.settings s
