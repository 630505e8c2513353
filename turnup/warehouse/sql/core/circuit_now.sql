-- table: core.circuit_now
-- grain: one row is a circuit: our record of it and what its provider's or cloud's system reports
-- key: circuit_key
-- Dates, ends and spans come from our record, the provider's state from its own report where there is one. Our side is
-- active when nothing that is said of it says otherwise; of two capacities the lower counts. BGP sessions over a circuit
-- count while they are fresh, and one that is down outweighs every state. A circuit that is not in service is expected
-- on the day it is promised for, as long as that day is to come.
WITH ranked AS (
    SELECT
        c.* EXCLUDE (view),
        coalesce(c.view, 'inventory') AS view,
        i.exported_at AS reported_at,
        row_number() OVER (
            PARTITION BY c.circuit_key, coalesce(c.view, 'inventory')
            ORDER BY CASE WHEN c.view = 'observed' THEN i.exported_at END DESC NULLS LAST, c._ingest, c._sheet, c._row
        ) AS place
    FROM stg.circuits c
    LEFT JOIN (SELECT _ingest, max(exported_at) AS exported_at FROM meta.ingests GROUP BY ALL) i USING (_ingest)
),
ours AS (FROM ranked WHERE view = 'inventory' AND place = 1),
theirs AS (FROM ranked WHERE view = 'observed' AND place = 1),
talk AS (
    SELECT
        device_key, count(*) AS sessions, count(*) FILTER (state = 'up') AS sessions_up,
        bool_and(state = 'up') AS up, string_agg(peer, ', ' ORDER BY peer) FILTER (state <> 'up') AS peers_down
    FROM core.device_sessions WHERE fresh GROUP BY ALL
),
joined AS (
    SELECT
        coalesce(o.circuit_key, t.circuit_key) AS circuit_key,
        coalesce(o.circuit, t.circuit) AS circuit,
        coalesce(o.system_id_key, t.system_id_key) AS system_id_key,
        coalesce(o.system_id, t.system_id) AS system_id,
        coalesce(o.a_site_key, t.a_site_key) AS a_site_key,
        coalesce(o.a_site, t.a_site) AS a_site,
        coalesce(o.z_site_key, t.z_site_key) AS z_site_key,
        coalesce(o.z_site, t.z_site) AS z_site,
        coalesce(o.provider, t.provider) AS provider,
        coalesce(o.type, t.type) AS type,
        least(o.gbps, t.gbps) AS gbps,
        o.gbps AS inventory_gbps,
        t.gbps AS reported_gbps,
        coalesce(o.latency_ms, t.latency_ms) AS latency_ms,
        coalesce(o.spans, t.spans) AS spans,
        coalesce(o.loa_cfa_issued, t.loa_cfa_issued) AS loa_cfa_issued,
        coalesce(o.loa_cfa_expiry, t.loa_cfa_expiry) AS loa_cfa_expiry,
        coalesce(o.quoted, t.quoted) AS quoted,
        coalesce(o.ordered, t.ordered) AS ordered,
        coalesce(o.firm_date, t.firm_date) AS firm_date,
        coalesce(o.first_firm_date, t.first_firm_date) AS first_firm_date,
        coalesce(o.delivered, t.delivered) AS delivered,
        coalesce(o.light, t.light) AS light,
        coalesce(o.tested, t.tested) AS tested,
        coalesce(o.in_service, t.in_service) AS in_service,
        coalesce(o.diversity_group, t.diversity_group) AS diversity_group,
        coalesce(t.provider_location, o.provider_location) AS provider_location,
        coalesce(t.provider_device, o.provider_device) AS provider_device,
        CASE WHEN circuit_is_active(o.customer_state) THEN coalesce(t.customer_state, o.customer_state)
            ELSE coalesce(o.customer_state, t.customer_state) END AS customer_state,
        coalesce(t.provider_state, o.provider_state) AS provider_state,
        o.provider_state AS claimed_provider_state,
        t.provider_state AS reported_provider_state,
        CASE
            WHEN o.customer_state IS NULL AND t.customer_state IS NULL THEN k.up
            ELSE coalesce(circuit_is_active(o.customer_state), true)
                AND coalesce(circuit_is_active(t.customer_state), true)
        END AS customer_active,
        circuit_is_active(coalesce(t.provider_state, o.provider_state)) AS provider_active,
        t.circuit_key IS NOT NULL AS is_reported,
        o.circuit_key IS NOT NULL AS is_recorded,
        t.reported_at,
        coalesce(k.sessions, 0) AS sessions,
        coalesce(k.sessions_up, 0) AS sessions_up,
        coalesce(k.up, true) AS no_session_down,
        k.peers_down,
        coalesce(o._ingest, t._ingest) AS _ingest,
        CASE WHEN o.circuit_key IS NULL THEN t._row ELSE o._row END AS _row,
        CASE WHEN o.circuit_key IS NULL THEN t._sheet ELSE o._sheet END AS _sheet
    FROM ours o
    FULL JOIN theirs t ON t.circuit_key = o.circuit_key
    LEFT JOIN talk k ON k.device_key = coalesce(o.circuit_key, t.circuit_key)
),
judged AS (
    SELECT
        j.*,
        p.as_of,
        coalesce(j.tested <= p.as_of, false) AS is_tested,
        coalesce(j.customer_active AND j.provider_active AND j.no_session_down, false) AS both_sides,
        coalesce(j.tested <= p.as_of AND j.in_service <= p.as_of AND j.customer_active AND j.provider_active
            AND j.no_session_down, false) AS serves
    FROM joined j CROSS JOIN core.settings p
)
SELECT
    *,
    CASE WHEN serves THEN NULL WHEN in_service > as_of THEN in_service WHEN firm_date > as_of THEN firm_date
        END AS expected
FROM judged
