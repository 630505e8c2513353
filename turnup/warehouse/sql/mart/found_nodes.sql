-- table: core.found_nodes
-- grain: one row is a name without its asset, an asset without a name, a cluster that fell silent, or a node with GPUs missing
-- key: code, item
WITH owned AS (
    SELECT DISTINCT cluster_key FROM core.systems
    WHERE cluster_key IS NOT NULL AND unit_source = 'asset' AND kind IN ('gpu_cluster', 'cpu_cluster')
    EXCEPT
    SELECT cluster_key FROM core.systems WHERE unit_source = 'node'
),
known AS (
    SELECT name_key FROM stg.installs WHERE name_key IS NOT NULL
    UNION
    SELECT a.node_key FROM core.node_assets a JOIN stg.installs i ON i.serial_key = a.serial_key
),
named AS (
    SELECT cluster_key, node_key, node, 'node_names' AS dataset, _ingest, _row, _sheet FROM core.node_assets
    UNION ALL
    SELECT cluster_key, node_key, node, 'scheduler_nodes', _ingest, _row, _sheet FROM core.node_schedule
)
SELECT
    'node_without_asset' AS code, 'warning' AS severity, n.dataset, s.system_key,
    n.node AS subject, n.cluster_key || '/' || n.node_key AS item, n._ingest, n._row, n._sheet,
    'node ' || n.node || ' of cluster ' || n.cluster_key || ' has no asset' AS message
FROM named n
JOIN owned o ON o.cluster_key = n.cluster_key
LEFT JOIN (SELECT cluster_key, min(system_key) AS system_key FROM core.systems GROUP BY ALL HAVING count(*) = 1) s
    ON s.cluster_key = n.cluster_key
WHERE n.node_key NOT IN (SELECT name_key FROM known)
QUALIFY row_number() OVER (PARTITION BY n.cluster_key, n.node_key ORDER BY n.dataset, n._ingest, n._row) = 1
UNION ALL
SELECT
    'asset_without_name', 'warning', 'installs', u.system_key, u.unit_id, u.system_key || '/' || u.unit_key,
        u._ingest, u._row, u._sheet,
    'asset ' || u.unit_id || ' of ' || u.system_id || ' is powered but bears no node name'
FROM core.units u
JOIN core.evidence_powered w ON w.system_key = u.system_key AND w.unit_key = u.unit_key AND w.has
WHERE u.dataset = 'installs' AND u.node_key IS NULL AND u.kind IN ('gpu_cluster', 'cpu_cluster')
UNION ALL
SELECT
    'accelerators_short', 'warning', 'scheduler_nodes', u.system_key, n.node, u.system_key || '/' || u.unit_key,
    n._ingest, n._row, n._sheet,
    n.node || ' of ' || u.system_id || ' offers ' || pieces(n.capacity) || ' of ' || pieces(u.capacity) || ' ' || u.unit
        || coalesce(' (' || n.reason || ')', '')
FROM core.units u
JOIN core.unit_stages a ON a.system_key = u.system_key AND a.unit_key = u.unit_key AND a.stage = 'accepted'
    AND a.reached
JOIN core.node_schedule n ON n.cluster_key = u.scheduler_key AND n.node_key = u.node_key
WHERE u.kind IN ('gpu_cluster', 'cpu_cluster') AND n.fresh AND n.allocatable AND n.capacity < u.capacity
UNION ALL
SELECT
    'scheduler_silent', 'warning', 'scheduler_nodes', any_value(s.system_key), min(n.cluster), n.cluster_key,
    arg_max(n._ingest, (n.observed_at, n._row)), arg_max(n._row, (n.observed_at, n._row)),
    arg_max_null(n._sheet, (n.observed_at, n._row)),
    'no snapshot of cluster ' || min(n.cluster) || ' since ' || strftime(max(n.observed_at), '%-d %b %H:%M') || ' UTC: what '
        || string_agg(DISTINCT s.system_id, ', ' ORDER BY s.system_id) || ' offers is no data'
FROM (
    SELECT d.cluster_key, d.observed_at, r.cluster, d._ingest, d._row, d._sheet
    FROM core.node_schedule d
    JOIN (SELECT cluster_key, min(cluster) AS cluster FROM stg.scheduler_nodes GROUP BY ALL) r USING (cluster_key)
) n
JOIN core.systems s ON s.cluster_key = n.cluster_key
CROSS JOIN core.settings p
GROUP BY n.cluster_key
HAVING max(n.observed_at) < max(p.cut_off) - to_minutes((max(p.snapshot_hours) * 60)::BIGINT)
