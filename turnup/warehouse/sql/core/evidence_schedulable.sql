-- table: core.evidence_schedulable
-- grain: one row is a unit; has is true, false, or null where there is no data
-- key: system_key, unit_key
-- schedulable: what the user sees. Compute: the scheduler offers the node in a fresh snapshot and has offered it for
-- 72 h without a break once; storage: serving, with mounts; PoP and backbone: every session up; circuits: tested and
-- in service on both sides, with no BGP session down. quantity is what is offered, never more than the unit bears.
WITH proof AS (
    SELECT
        a.*,
        n.node_key IS NOT NULL AS by_scheduler,
        t.system_key IS NOT NULL AS by_storage,
        d.n IS NOT NULL AS by_sessions,
        CASE
            WHEN a.kind IN ('gpu_cluster', 'cpu_cluster') THEN CASE WHEN n.fresh THEN n.allocatable AND n.steady END
            WHEN a.kind = 'storage' THEN CASE WHEN t.fresh THEN coalesce(t.serving AND t.client_mounts > 0, false) END
            WHEN a.kind IN ('pop', 'backbone_node') THEN CASE WHEN d.fresh THEN d.up END
            ELSE coalesce(c.serves, false)
        END AS has,
        CASE
            WHEN n.node_key IS NOT NULL THEN least(a.capacity, coalesce(n.capacity, a.capacity))
            WHEN t.system_key IS NOT NULL THEN greatest(0, least(a.capacity, t.usable - (
                sum(a.capacity) OVER (PARTITION BY a.system_key ORDER BY a.powered NULLS LAST, a.unit_key) - a.capacity
            )))
            ELSE a.capacity
        END AS offered,
        coalesce(n.observed_at, t.observed_at, d.observed_at, c.in_service::TIMESTAMP) AS seen_at,
        CASE
            WHEN n.node_key IS NOT NULL THEN concat_ws(
                ', ', CASE WHEN n.allocatable THEN 'allocatable' ELSE 'not allocatable' END, n.state, n.reason,
                CASE WHEN NOT n.steady THEN 'not yet continuous' END, CASE WHEN NOT n.fresh THEN 'snapshot too old' END
            )
            WHEN t.system_key IS NOT NULL
                THEN 'serving ' || coalesce(t.serving, false) || ', mounts ' || coalesce(t.client_mounts, 0)
            WHEN d.n IS NOT NULL THEN d.n || ' sessions, all up: ' || d.up
            WHEN c.circuit_key IS NOT NULL THEN concat_ws(', ', 'in service ' || c.in_service, c.customer_state,
                c.provider_state, 'BGP down: ' || c.peers_down)
            ELSE 'not seen by its user'
        END AS note,
        coalesce(n._ingest, t._ingest, d._ingest) AS seen_ingest,
        CASE WHEN n.node_key IS NOT NULL THEN n._row WHEN t.system_key IS NOT NULL THEN t._row
            ELSE d._row END AS seen_row,
        CASE WHEN n.node_key IS NOT NULL THEN n._sheet WHEN t.system_key IS NOT NULL THEN t._sheet
            ELSE d._sheet END AS seen_sheet
    FROM core.asset_units a
    LEFT JOIN core.node_schedule n ON n.cluster_key = a.scheduler_key AND n.node_key = a.node_key
    LEFT JOIN core.storage_now t ON t.system_key = a.storage_key
    LEFT JOIN core.unit_sessions d ON d.system_key = a.system_key AND d.unit_key = a.session_key
    LEFT JOIN core.circuit_now c ON c.circuit_key = a.circuit_key
)
SELECT
    system_key,
    unit_key,
    'schedulable' AS stage,
    has AND offered > 0 AS has,
    offered::DECIMAL(18, 3) AS quantity,
    seen_at AS observed_at,
    note,
    CASE
        WHEN by_scheduler THEN 'scheduler_nodes'
        WHEN by_storage THEN 'storage_state'
        WHEN by_sessions THEN 'sessions'
        ELSE dataset
    END AS dataset,
    coalesce(seen_ingest, _ingest) AS _ingest,
    CASE WHEN seen_ingest IS NULL THEN _row ELSE seen_row END AS _row,
    CASE WHEN seen_ingest IS NULL THEN _sheet ELSE seen_sheet END AS _sheet
FROM proof
