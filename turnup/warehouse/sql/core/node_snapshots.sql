-- table: core.node_snapshots
-- grain: one row is a node in a snapshot of its cluster, of the last 35 days before the cut-off
-- key: cluster_key, node_key, observed_at
-- taken_no numbers the snapshots of a cluster. until: how long the state is known to hold, which is until the cluster's
-- next snapshot, and never longer than a snapshot counts. away_since: first snapshot of the present row of those in
-- which the node was not offered.
WITH newest AS (
    SELECT n.* EXCLUDE (allocatable), n.allocatable, p.cut_off, p.snapshot_hours
    FROM stg.scheduler_nodes n CROSS JOIN core.settings p
    WHERE n.observed_at <= p.cut_off AND n.observed_at > p.cut_off - to_days(35)
    QUALIFY row_number() OVER (
        PARTITION BY n.cluster_key, n.node_key, n.observed_at ORDER BY n._ingest, n._sheet, n._row
    ) = 1
),
taken AS (
    SELECT
        cluster_key, observed_at,
        row_number() OVER (PARTITION BY cluster_key ORDER BY observed_at) AS taken_no,
        lead(observed_at) OVER (PARTITION BY cluster_key ORDER BY observed_at) AS next_at
    FROM (SELECT DISTINCT cluster_key, observed_at FROM newest)
),
runs AS (
    SELECT
        *,
        count(*) FILTER (allocatable) OVER (PARTITION BY cluster_key, node_key ORDER BY observed_at) AS offered_before
    FROM newest
)
SELECT
    r.cluster_key,
    r.node_key,
    r.observed_at,
    r.cluster,
    r.node,
    t.taken_no,
    t.next_at IS NULL AS newest,
    least(coalesce(t.next_at, r.cut_off), r.observed_at + to_minutes((r.snapshot_hours * 60)::BIGINT), r.cut_off)
        AS until,
    r.allocatable,
    node_standing(r.allocatable, r.state, r.flags) AS standing,
    r.state,
    r.flags,
    r.reason,
    r.reason_by,
    r.reason_at,
    r.capacity,
    r.installed,
    r.in_use,
    r.pool,
    CASE WHEN NOT r.allocatable THEN min(r.observed_at) FILTER (NOT r.allocatable) OVER (
        PARTITION BY r.cluster_key, r.node_key, r.offered_before
    ) END AS away_since,
    r._ingest,
    r._row,
    r._sheet
FROM runs r
JOIN taken t ON t.cluster_key = r.cluster_key AND t.observed_at = r.observed_at
