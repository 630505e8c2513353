-- table: mart.not_offered
-- grain: one row is a compute unit that is accepted and that its scheduler does not offer in a snapshot that counts
-- key: system_id, unit_key
-- standing 'no data': the scheduler does not know the node, or its snapshot is older than its limit.
WITH accepted AS (
    SELECT system_key, unit_key FROM core.unit_stages WHERE stage = 'accepted' AND reached
),
last_seen AS (
    SELECT * FROM core.node_snapshots
    QUALIFY row_number() OVER (PARTITION BY cluster_key, node_key ORDER BY observed_at DESC) = 1
)
SELECT
    u.system_id,
    u.unit_id,
    u.unit_key,
    u.system_key,
    u.block_key,
    n.node,
    u.capacity,
    u.unit,
    CASE
        WHEN n.node_key IS NULL THEN 'no data'
        WHEN NOT coalesce(h.fresh, false) THEN 'no data'
        WHEN n.allocatable AND u.capacity > n.capacity THEN 'short'
        WHEN n.allocatable THEN 'not yet continuous'
        ELSE n.standing
    END AS standing,
    CASE WHEN n.allocatable AND u.capacity > n.capacity THEN u.capacity - n.capacity ELSE u.capacity END AS withheld,
    n.state,
    n.flags,
    CASE
        WHEN n.node_key IS NULL THEN 'the scheduler has not told of it in 35 days'
        WHEN NOT coalesce(h.fresh, false) THEN 'no snapshot since ' || strftime(n.observed_at, '%-d %b %H:%M')
        WHEN n.allocatable AND u.capacity > n.capacity THEN
            'offers ' || pieces(n.capacity) || ' of ' || pieces(u.capacity)
        ELSE n.reason
    END AS reason,
    n.reason_by,
    coalesce(n.reason_at, n.away_since) AS since,
    n.observed_at,
    i.file,
    n._row AS "row"
FROM accepted a
JOIN core.units u ON u.system_key = a.system_key AND u.unit_key = a.unit_key
LEFT JOIN core.unit_stages s ON s.system_key = u.system_key AND s.unit_key = u.unit_key AND s.stage = 'schedulable'
LEFT JOIN last_seen n ON n.cluster_key = u.scheduler_key AND n.node_key = u.node_key
LEFT JOIN core.node_schedule h ON h.cluster_key = u.scheduler_key AND h.node_key = u.node_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = n._ingest
WHERE u.kind IN ('gpu_cluster', 'cpu_cluster') AND (NOT coalesce(s.has, false) OR u.capacity > n.capacity)
