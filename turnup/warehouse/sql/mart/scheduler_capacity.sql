-- table: mart.scheduler_capacity
-- grain: one row is a snapshot of a cluster of the last 35 days: what its scheduler offered then
-- key: cluster, observed_at
-- A node's capacity counts where the scheduler offers it; nodes that tell none are counted and not guessed. counts is
-- false for a newest snapshot that is older than its limit: then there is no data on the present.
WITH systems AS (
    SELECT cluster_key, string_agg(system_id, ', ' ORDER BY system_id) AS systems
    FROM core.systems WHERE kind IN ('gpu_cluster', 'cpu_cluster') AND cluster_key IS NOT NULL GROUP BY ALL
),
moved AS (
    SELECT
        cluster_key, observed_at, count(*) FILTER (change = 'entered') AS entered,
        count(*) FILTER (change = 'left') AS departed
    FROM core.node_churn GROUP BY ALL
)
SELECT
    min(s.cluster) AS cluster,
    s.observed_at,
    any_value(y.systems) AS systems,
    any_value(s.newest) AS newest,
    s.observed_at >= any_value(p.cut_off) - to_minutes((any_value(p.snapshot_hours) * 60)::BIGINT) AS counts,
    count(*) AS nodes,
    count(*) FILTER (s.allocatable) AS offered_nodes,
    count(*) FILTER (s.standing = 'maintenance') AS maintenance,
    count(*) FILTER (s.standing = 'fault') AS fault,
    count(*) FILTER (s.standing = 'withdrawn') AS withdrawn,
    count(*) FILTER (s.standing = 'power saving') AS power_saving,
    count(*) FILTER (s.standing = 'unknown') AS unknown,
    count(*) FILTER (s.capacity IS NULL) AS without_capacity,
    sum(s.capacity) FILTER (s.allocatable) AS offered,
    sum(coalesce(s.installed, s.capacity)) AS installed,
    count(*) FILTER (s.allocatable AND s.capacity < s.installed) AS short_nodes,
    coalesce(any_value(m.entered), 0) AS entered,
    coalesce(any_value(m.departed), 0) AS departed
FROM core.node_snapshots s
CROSS JOIN core.settings p
LEFT JOIN systems y ON y.cluster_key = s.cluster_key
LEFT JOIN moved m ON m.cluster_key = s.cluster_key AND m.observed_at = s.observed_at
GROUP BY s.cluster_key, s.observed_at
