-- title: The scheduler's leaf labels are the leaves
-- rule: the label of each node is a switch that one of its cables ends on
WITH peers AS (
    SELECT a_device_key AS device_key, short_name(b_device_key) AS peer FROM core.link_pairs
    UNION
    SELECT b_device_key, short_name(a_device_key) FROM core.link_pairs
),
cabled AS (
    SELECT n.system_key, n.unit_key, list_sort(list(DISTINCT p.peer)) AS leaves
    FROM core.unit_names n JOIN peers p ON p.device_key = n.name_key GROUP BY ALL
)
SELECT u.unit_id AS subject,
    CASE WHEN n.leaf_label IS NULL OR c.leaves IS NULL THEN 'no data'
        WHEN list_contains(c.leaves, short_name(lower(n.leaf_label))) THEN 'go' ELSE 'no-go' END AS state,
    'label ' || coalesce(n.leaf_label, 'none') || ', cabled to ' || coalesce(array_to_string(c.leaves, ', '), 'no switch')
        AS note,
    'scheduler_nodes' AS dataset, n._ingest, n._sheet, n._row
FROM units u
LEFT JOIN core.node_schedule n ON n.cluster_key = u.scheduler_key AND n.node_key = u.node_key
LEFT JOIN cabled c ON c.system_key = u.system_key AND c.unit_key = u.unit_key
WHERE u.scheduler_key IS NOT NULL
