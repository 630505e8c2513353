-- table: mart.dependency_nodes
-- grain: one row is a system, a circuit or a site in the graph of what needs what
-- key: node
-- open: capacity contracted and not schedulable, of systems only. on_date: P80 of a system, promised day of a circuit.
-- state: ready, waits, or no data where nothing is known of it. waits_for: what leads on from it, in words.
WITH told AS (
    SELECT to_node AS node, any_value(to_name) AS name,
        CASE WHEN bool_or(state IN ('no data', 'stale')) THEN 'no data' WHEN bool_and(state IN ('met', 'waived')) THEN 'ready'
            ELSE 'waits' END AS state,
        max(on_date) AS on_date,
        string_agg(DISTINCT type || ': ' || state, ', ' ORDER BY type || ': ' || state)
            FILTER (state NOT IN ('met', 'waived')) AS waits_for
    FROM mart.dependency_edges WHERE NOT starts_with(to_node, 'system/') GROUP BY to_node
),
closed AS (SELECT DISTINCT system_key FROM core.closed_gates),
led AS (
    SELECT system_key, first(chain ORDER BY p80 DESC NULLS FIRST, block, rank) AS chain FROM core.chains GROUP BY ALL
),
own AS (
    SELECT system_key, first(what ORDER BY gate_no, place, what) AS what FROM core.own_waits GROUP BY ALL
)
SELECT
    'system/' || s.system_key AS node, s.kind AS node_kind, s.system_id AS name, s.owner,
    CASE WHEN s.playbook IS NULL THEN 'no data' WHEN c.system_key IS NULL THEN 'ready' ELSE 'waits' END AS state,
    f.contracted - f.reached AS open, s.unit, p.p80 AS on_date, coalesce(l.chain, o.what) AS waits_for
FROM core.systems s
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
LEFT JOIN closed c ON c.system_key = s.system_key
LEFT JOIN core.forecasts p ON p.scope_type = 'system' AND p.key = s.system_key
LEFT JOIN led l ON l.system_key = s.system_key
LEFT JOIN own o ON o.system_key = s.system_key
UNION ALL
SELECT
    'system/' || needed_key, 'unknown', min(needed_id), NULL, 'no data', NULL, NULL, NULL, NULL
FROM core.needs WHERE needed_key NOT IN (SELECT system_key FROM core.systems) GROUP BY needed_key
UNION ALL
SELECT node, split_part(node, '/', 1), name, NULL, state, NULL, NULL, on_date, waits_for FROM told
