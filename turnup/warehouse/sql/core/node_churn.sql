-- table: core.node_churn
-- grain: one row is a node that entered a cluster, or left it, between two of its snapshots
-- key: cluster_key, node_key, observed_at, change
-- The first snapshot of a cluster has no churn: nothing was known before it.
WITH taken AS (
    SELECT DISTINCT cluster_key, taken_no, observed_at FROM core.node_snapshots
)
SELECT
    s.cluster_key, s.node_key, s.observed_at, 'entered' AS change, s.cluster, s.node, s.state, s.reason, s.capacity,
    s._ingest, s._row, s._sheet
FROM core.node_snapshots s
ANTI JOIN core.node_snapshots b
    ON b.cluster_key = s.cluster_key AND b.node_key = s.node_key AND b.taken_no = s.taken_no - 1
WHERE s.taken_no > 1
UNION ALL
SELECT
    s.cluster_key, s.node_key, t.observed_at, 'left', s.cluster, s.node, s.state, s.reason, s.capacity,
    s._ingest, s._row, s._sheet
FROM core.node_snapshots s
JOIN taken t ON t.cluster_key = s.cluster_key AND t.taken_no = s.taken_no + 1
ANTI JOIN core.node_snapshots n
    ON n.cluster_key = s.cluster_key AND n.node_key = s.node_key AND n.taken_no = s.taken_no + 1
