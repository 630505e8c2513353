-- table: core.storage_clients
-- grain: one row is a storage system with the number of clients that should have it mounted
-- key: system_key
-- expected: as the system itself reports it, else the powered nodes of the clusters that need it; null where neither says.
WITH needing AS (
    SELECT d.to_system_key AS system_key, count(*) FILTER (w.has) AS nodes, count(DISTINCT d.from_system_key) AS systems
    FROM (SELECT DISTINCT from_system_key, to_system_key FROM stg.dependencies) d
    JOIN core.systems c ON c.system_key = d.from_system_key AND c.kind IN ('gpu_cluster', 'cpu_cluster')
    LEFT JOIN core.evidence_powered w ON w.system_key = d.from_system_key
    GROUP BY d.to_system_key
)
SELECT
    s.system_key,
    coalesce(t.clients_expected, n.nodes)::INTEGER AS expected,
    CASE WHEN t.clients_expected IS NOT NULL THEN 'as reported'
        WHEN n.nodes IS NOT NULL THEN 'powered nodes of ' || n.systems || CASE n.systems WHEN 1 THEN ' cluster'
            ELSE ' clusters' END END AS basis
FROM core.systems s
LEFT JOIN core.storage_now t ON t.system_key = s.system_key
LEFT JOIN needing n ON n.system_key = s.system_key
WHERE s.kind = 'storage'
