-- table: mart.scheduler_churn
-- grain: one row is a node that entered a cluster, or left it, in the week before the cut-off
-- key: cluster, node, observed_at, change
SELECT
    c.cluster,
    c.node,
    c.observed_at,
    c.change,
    c.state,
    c.reason,
    c.capacity,
    i.file,
    c._row AS "row"
FROM core.node_churn c
CROSS JOIN core.settings p
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = c._ingest
WHERE c.observed_at > p.cut_off - to_days(7)
