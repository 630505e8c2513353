-- table: core.node_schedule
-- grain: one row is a node as the scheduler saw it last before the cut-off
-- key: cluster_key, node_key
-- steady: at some snapshot every one of the last 72 h (at least two) was allocatable, so the node has been accepted
-- once.
WITH seen AS (
    SELECT
        n.*,
        count(*) OVER w AS in_window,
        count(*) FILTER (NOT allocatable) OVER w AS away
    FROM (
        SELECT n.*, p.first_hours, p.cut_off
        FROM stg.scheduler_nodes n CROSS JOIN core.settings p
        WHERE n.observed_at <= p.cut_off
        QUALIFY row_number() OVER (
            PARTITION BY cluster_key, node_key, observed_at ORDER BY n._ingest, n._sheet, n._row
        ) = 1
    ) n
    WINDOW w AS (
        PARTITION BY cluster_key, node_key ORDER BY observed_at
        RANGE BETWEEN to_hours(first_hours::BIGINT) PRECEDING AND CURRENT ROW
    )
)
SELECT
    n.cluster_key,
    n.node_key,
    arg_max_null(n.node, n.observed_at) AS node,
    max(n.observed_at) AS observed_at,
    arg_max_null(n.allocatable, n.observed_at) AS allocatable,
    arg_max_null(n.state, n.observed_at) AS state,
    arg_max_null(n.reason, n.observed_at) AS reason,
    max_by(n.capacity, n.observed_at) FILTER (n.capacity IS NOT NULL)::DECIMAL(18, 3) AS capacity,
    arg_max(trim(n.rack_label), n.observed_at) AS rack_label,
    arg_max(trim(n.leaf_label), n.observed_at) AS leaf_label,
    count(*) AS snapshots,
    count(*) FILTER (n.observed_at > n.cut_off - to_days(7)) AS week_snapshots,
    count(*) FILTER (n.observed_at > n.cut_off - to_days(7) AND n.allocatable) AS week_allocatable,
    bool_or(n.in_window >= 2 AND n.away = 0) OR max(n.first_hours) = 0 AS steady,
    max(n.observed_at) >= max(n.cut_off) - to_minutes((max(p.snapshot_hours) * 60)::BIGINT) AS fresh,
    arg_max_null(n._ingest, n.observed_at) AS _ingest,
    arg_max_null(n._row, n.observed_at) AS _row,
    arg_max_null(n._sheet, n.observed_at) AS _sheet
FROM seen n
CROSS JOIN core.settings p
GROUP BY n.cluster_key, n.node_key
