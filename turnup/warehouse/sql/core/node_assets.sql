-- table: core.node_assets
-- grain: one row is a node name of a cluster as valid at the data date
-- key: cluster_key, node_key
SELECT
    n.cluster_key,
    n.node_key,
    n.node,
    n.serial_key,
    n.system_id_key AS system_key,
    n.valid_from,
    n._ingest,
    n._row,
    n._sheet
FROM stg.node_names n
CROSS JOIN core.settings p
WHERE n.valid_from <= p.as_of AND (n.valid_to IS NULL OR n.valid_to > p.as_of)
QUALIFY row_number() OVER (
    PARTITION BY n.cluster_key, n.node_key ORDER BY n.valid_from DESC, n._ingest, n._sheet, n._row
) = 1
