-- ---
-- title: Needed storage ready
-- unit: share
-- definition: "Of the storage systems that this system needs, the least share of contracted capacity that has reached the
--   stage of the gate that the dependency names; without a gate, that is schedulable."
-- formula: least of reached / contracted over the needed storage systems
-- aggregate: min
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, NULL AS unit_key, n.system_id AS unit_id, NULL AS block_key,
    f.reached / nullif(f.contracted, 0) AS value, 1 AS weight,
    'dependencies' AS dataset, d._ingest, d._row, d._sheet, NULL::TIMESTAMP AS observed_at,
    n.system_id || ': ' || rtrim(rtrim(printf('%.3f', f.reached::DOUBLE), '0'), '.') || ' of '
        || rtrim(rtrim(printf('%.3f', f.contracted::DOUBLE), '0'), '.') || ' ' || n.unit || ' ' || f.stage AS note
FROM stg.dependencies d
JOIN core.systems s ON s.system_key = d.from_system_key
JOIN core.systems n ON n.system_key = d.to_system_key AND n.kind = 'storage' AND n.system_key <> s.system_key
LEFT JOIN core.gates g
    ON g.playbook = n.playbook
    AND lower(trim(d.gate)) IN (lower(g.gate), lower(g.title), g.stage, replace(g.stage, '_', ' '))
JOIN core.funnel f ON f.system_key = n.system_key AND f.stage = coalesce(g.stage, 'schedulable')
