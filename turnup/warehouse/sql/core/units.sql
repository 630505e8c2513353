-- table: core.units
-- grain: one row is a thing that bears capacity: an asset, a named node, a circuit or a storage service
-- key: system_key, unit_key
WITH named AS (
    SELECT serial_key, cluster_key, min(node_key) AS node_key, min(node) AS node
    FROM core.node_assets WHERE serial_key IS NOT NULL GROUP BY ALL
),
spelled AS (
    SELECT name_key FROM core.assets WHERE name_key IS NOT NULL GROUP BY ALL HAVING count(*) = 1
),
assets AS (
    SELECT
        s.system_key, s.system_id, s.kind, s.unit,
        i.asset_id_key AS unit_key,
        coalesce(i.name, i.serial, i.asset_id) AS unit_id,
        i.serial_key, i.parent_serial_key, i.part_number_key AS part_key, i.block_key,
        coalesce(n.node_key, u.name_key) AS node_key,
        i.name_key, s.cluster_key, c.capacity_per_unit AS capacity,
        'installs' AS dataset, i._ingest, i._row, i._sheet
    FROM core.assets i
    JOIN core.systems s ON s.system_key = i.system_id_key AND s.unit_source = 'asset'
    JOIN core.capacity_parts c ON c.system_key = s.system_key AND c.part_key = i.part_number_key
    LEFT JOIN named n ON n.serial_key = i.serial_key AND n.cluster_key = s.cluster_key
    LEFT JOIN spelled u ON u.name_key = i.name_key
    WHERE coalesce(i.purpose, 'production') = 'production' AND i.status <> 'decommissioning' AND i.located
),
single AS (
    SELECT cluster_key, min(system_key) AS system_key
    FROM core.systems WHERE unit_source = 'node' AND cluster_key IS NOT NULL GROUP BY ALL HAVING count(*) = 1
),
nodes AS (
    SELECT
        coalesce(a.system_key, o.system_key) AS system_key,
        coalesce(a.cluster_key, n.cluster_key) AS cluster_key,
        coalesce(a.node_key, n.node_key) AS node_key,
        coalesce(a.node, n.node) AS node,
        n.capacity,
        CASE WHEN a.node_key IS NULL THEN 'scheduler_nodes' ELSE 'node_names' END AS dataset,
        coalesce(a._ingest, n._ingest) AS _ingest,
        coalesce(a._row, n._row) AS _row,
        coalesce(a._sheet, n._sheet) AS _sheet
    FROM core.node_assets a
    FULL JOIN core.node_schedule n ON n.cluster_key = a.cluster_key AND n.node_key = a.node_key
    LEFT JOIN single o ON o.cluster_key = coalesce(a.cluster_key, n.cluster_key)
),
borrowed AS (
    SELECT
        s.system_key, s.system_id, s.kind, s.unit,
        n.cluster_key || '/' || n.node_key AS unit_key,
        n.node AS unit_id,
        NULL AS serial_key, NULL AS parent_serial_key, NULL AS part_key, i.block_key,
        n.node_key, n.node_key AS name_key, n.cluster_key, coalesce(n.capacity, 0)::DECIMAL(18, 3) AS capacity,
        n.dataset, n._ingest, n._row, n._sheet
    FROM nodes n
    JOIN core.systems s ON s.system_key = n.system_key AND s.unit_source = 'node'
    LEFT JOIN (SELECT system_id_key, name_key, min(block_key) AS block_key FROM stg.installs GROUP BY ALL) i
        ON i.system_id_key = s.system_key AND i.name_key = n.node_key
),
circuits AS (
    SELECT
        s.system_key, s.system_id, s.kind, s.unit, c.circuit_key AS unit_key, c.circuit AS unit_id,
        NULL AS serial_key, NULL AS parent_serial_key, NULL AS part_key, NULL AS block_key,
        c.circuit_key AS node_key, c.circuit_key AS name_key, s.cluster_key, c.gbps::DECIMAL(18, 3) AS capacity,
        'circuits' AS dataset, c._ingest, c._row, c._sheet
    FROM core.circuit_now c
    JOIN core.systems s ON s.system_key = c.system_id_key AND s.unit_source = 'circuit'
),
services AS (
    SELECT
        s.system_key, s.system_id, s.kind, s.unit, s.system_key AS unit_key, s.system_id AS unit_id,
        NULL AS serial_key, NULL AS parent_serial_key, NULL AS part_key, NULL AS block_key,
        s.system_key AS node_key, s.system_key AS name_key, s.cluster_key, t.usable::DECIMAL(18, 3) AS capacity,
        'storage_state' AS dataset, t._ingest, t._row, t._sheet
    FROM core.storage_now t
    JOIN core.systems s ON s.system_key = t.system_key AND s.unit_source = 'service'
),
everything AS (
    SELECT * FROM assets UNION ALL SELECT * FROM borrowed UNION ALL SELECT * FROM circuits UNION ALL SELECT *
        FROM services
)
SELECT
    e.* EXCLUDE (block_key),
    CASE WHEN e.dataset = 'installs' THEN e.unit_key END AS asset_key,
    CASE WHEN e.dataset = 'circuits' THEN e.unit_key END AS circuit_key,
    CASE WHEN e.kind IN ('gpu_cluster', 'cpu_cluster') THEN e.cluster_key END AS scheduler_key,
    CASE WHEN e.kind = 'storage' THEN e.system_key END AS storage_key,
    CASE WHEN e.kind IN ('pop', 'backbone_node') THEN e.unit_key END AS session_key,
    coalesce(own.block_key, only_block.block_key, 'unassigned') AS block_key
FROM everything e
LEFT JOIN core.blocks own ON own.system_key = e.system_key AND own.block_key = e.block_key
LEFT JOIN core.blocks only_block ON only_block.system_key = e.system_key AND only_block.blocks = 1
