-- title: The scheduler's rack labels are the racks
-- rule: the label of each node is the rack where its asset stands; a wrong one places jobs across the fabric
SELECT u.unit_id AS subject,
    CASE WHEN n.rack_label IS NULL OR a.rack IS NULL THEN 'no data'
        WHEN lower(n.rack_label) = lower(trim(a.rack)) THEN 'go' ELSE 'no-go' END AS state,
    'label ' || coalesce(n.rack_label, 'none') || ', stands in ' || coalesce(a.rack, 'no known rack') AS note,
    'scheduler_nodes' AS dataset, n._ingest, n._sheet, n._row
FROM units u
LEFT JOIN core.node_schedule n ON n.cluster_key = u.scheduler_key AND n.node_key = u.node_key
LEFT JOIN core.assets a ON a.asset_id_key = u.asset_key AND a.system_id_key = u.system_key AND a.located
WHERE u.scheduler_key IS NOT NULL
