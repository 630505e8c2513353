-- table: core.systems
-- grain: one row is a system
-- key: system_key
SELECT
    s.system_id_key AS system_key,
    s.system_id,
    s.name,
    s.kind,
    k.unit,
    s.site_id_key AS site_key,
    coalesce(site.site_id, s.site_id) AS site_id,
    site.name AS site_name,
    site.region,
    site.facility,
    s.supply_model,
    s.cluster_key,
    s.design_kw,
    s.racks,
    s.hall,
    coalesce(s.priority, 1000000) AS netting_order,
    s.priority,
    s.owner,
    p.playbook,
    p.version AS playbook_version,
    s.claimed_status,
    s.claimed_stage,
    CASE
        WHEN s.kind IN ('wan_link', 'cloud_interconnect') THEN 'circuit'
        WHEN s.kind IN ('gpu_cluster', 'cpu_cluster') AND s.supply_model IN ('leased', 'cloud') THEN 'node'
        WHEN s.kind = 'storage' AND s.supply_model = 'cloud' THEN 'service'
        ELSE 'asset'
    END AS unit_source,
    s._ingest,
    s._row,
    s._sheet
FROM stg.systems s
JOIN core.kinds k ON k.kind = s.kind
LEFT JOIN core.playbooks p ON p.playbook = coalesce(nullif(lower(trim(s.playbook)), ''), s.kind)
LEFT JOIN (
    SELECT * FROM stg.sites QUALIFY row_number() OVER (PARTITION BY site_id_key ORDER BY _ingest, _sheet, _row) = 1
) site ON site.site_id_key = s.site_id_key
QUALIFY row_number() OVER (PARTITION BY s.system_id_key ORDER BY s._ingest, s._sheet, s._row) = 1
