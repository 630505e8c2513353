-- table: core.evidence_powered
-- grain: one row is a unit; has is true, false, or null where there is no data
-- key: system_key, unit_key
-- powered: powered on (compute: or provisioned); borrowed nodes: seen by the scheduler.
SELECT
    a.system_key,
    a.unit_key,
    'powered' AS stage,
    CASE
        WHEN a.dataset = 'installs' THEN
            coalesce(a.powered <= p.as_of, false)
            OR (a.kind IN ('gpu_cluster', 'cpu_cluster') AND coalesce(a.provisioned <= p.as_of, false))
        WHEN a.dataset IN ('node_names', 'scheduler_nodes') THEN n.node_key IS NOT NULL
        ELSE true
    END AS has,
    a.capacity AS quantity,
    coalesce(a.powered::TIMESTAMP, a.provisioned::TIMESTAMP, n.observed_at) AS observed_at,
    concat_ws(', ', 'powered ' || a.powered, 'provisioned ' || a.provisioned) AS note,
    a.dataset,
    a._ingest,
    a._row,
    a._sheet
FROM core.asset_units a
CROSS JOIN core.settings p
LEFT JOIN core.node_schedule n ON n.cluster_key = a.cluster_key AND n.node_key = a.node_key
