-- table: core.node_availability
-- grain: one row is a node with the hours of the week before the cut-off by what the scheduler did with it
-- key: cluster_key, node_key
-- A snapshot speaks for the time until the next one, at most as long as a snapshot counts; the rest is no data. The
-- share is of the hours that are known, so what nobody looked at is neither up nor down.
WITH spans AS (
    SELECT
        s.*,
        greatest(0, date_diff('second', greatest(s.observed_at, p.cut_off - to_days(7)), s.until)) / 3600.0 AS hours
    FROM core.node_snapshots s CROSS JOIN core.settings p
    WHERE s.until > p.cut_off - to_days(7)
)
SELECT
    cluster_key,
    node_key,
    any_value(cluster) AS cluster,
    any_value(node) AS node,
    sum(hours) AS known_hours,
    168 - sum(hours) AS no_data_hours,
    coalesce(sum(hours) FILTER (standing = 'offered'), 0) AS offered_hours,
    coalesce(sum(hours) FILTER (standing = 'maintenance'), 0) AS maintenance_hours,
    coalesce(sum(hours) FILTER (standing = 'fault'), 0) AS fault_hours,
    coalesce(sum(hours) FILTER (standing = 'withdrawn'), 0) AS withdrawn_hours,
    coalesce(sum(hours) FILTER (standing = 'power saving'), 0) AS power_saving_hours,
    coalesce(sum(hours) FILTER (standing = 'unknown'), 0) AS unknown_hours,
    offered_hours / nullif(known_hours, 0) AS share,
    max(observed_at) AS observed_at,
    arg_max_null(_ingest, observed_at) AS _ingest,
    arg_max_null(_row, observed_at) AS _row,
    arg_max_null(_sheet, observed_at) AS _sheet
FROM spans
GROUP BY cluster_key, node_key
