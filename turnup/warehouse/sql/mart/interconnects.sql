-- table: mart.interconnects
-- grain: one row is a cloud interconnect with what both sides say of its circuits
-- key: system_key
-- Redundancy is that of all its circuits: on two locations of the cloud or more, on two devices or more, on one; what is
-- not told is unknown and never counts as another one. BGP counts where a session was reported.
WITH devices AS (
    SELECT c.system_id_key AS system_key, count(DISTINCT d.device_key) AS devices
    FROM core.circuit_now c JOIN core.circuit_devices d USING (circuit_key) GROUP BY ALL
),
counted AS (
    SELECT
        c.system_id_key AS system_key,
        count(*) AS circuits,
        count(*) FILTER (is_reported) AS reported,
        sum(gbps) AS gbps,
        coalesce(sum(gbps) FILTER (customer_active), 0) AS customer_gbps,
        coalesce(sum(gbps) FILTER (provider_active), 0) AS provider_gbps,
        coalesce(sum(gbps) FILTER (both_sides), 0) AS both_sides_gbps,
        coalesce(sum(gbps) FILTER (serves), 0) AS in_service_gbps,
        count(DISTINCT lower(trim(provider_location))) AS locations,
        count(*) FILTER (provider_location IS NULL) AS without_location,
        count(*) FILTER (provider_device IS NULL) AS without_device,
        sum(sessions) AS sessions,
        sum(sessions_up) AS sessions_up,
        min(reported_at) AS reported_at,
        string_agg(circuit || CASE
            WHEN NOT coalesce(provider_active, false) AND NOT coalesce(customer_active, false) THEN ': neither side'
            WHEN NOT coalesce(provider_active, false) THEN ': provider ' || coalesce(provider_state, 'not known')
            WHEN NOT coalesce(customer_active, false) THEN ': customer ' || coalesce(customer_state, 'not known')
            ELSE ': BGP down (' || peers_down || ')'
        END, '; ' ORDER BY circuit) FILTER (NOT both_sides) AS not_ready
    FROM core.circuit_now c GROUP BY ALL
)
SELECT
    s.system_key,
    s.system_id,
    c.circuits,
    c.reported,
    c.gbps::DECIMAL(28, 3) AS gbps,
    c.customer_gbps::DECIMAL(28, 3) AS customer_gbps,
    c.provider_gbps::DECIMAL(28, 3) AS provider_gbps,
    c.both_sides_gbps::DECIMAL(28, 3) AS both_sides_gbps,
    c.in_service_gbps::DECIMAL(28, 3) AS in_service_gbps,
    coalesce(d.devices, 0) AS devices,
    c.locations,
    CASE
        WHEN c.locations > 1 THEN 'locations'
        WHEN coalesce(d.devices, 0) > 1 THEN 'devices'
        WHEN c.circuits > 1 AND (c.without_device > 0 OR c.without_location > 0) THEN 'unknown'
        ELSE 'none'
    END AS redundancy,
    c.sessions::BIGINT AS sessions,
    c.sessions_up::BIGINT AS sessions_up,
    c.reported_at,
    c.not_ready
FROM core.systems s
JOIN counted c USING (system_key)
LEFT JOIN devices d USING (system_key)
WHERE s.kind = 'cloud_interconnect'
