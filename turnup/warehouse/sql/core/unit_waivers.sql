-- table: core.unit_waivers
-- grain: one row is a unit and a stage whose missing evidence a waiver in force covers
-- key: system_key, unit_key, stage
-- A waiver of a whole gate, or of a criterion that is judged on units, covers evidence that says no. Evidence that is
-- not there at all is covered only by a waiver of the whole gate or of the criterion that asks for its presence. A gate is
-- waived as a whole only where each of its criteria may be.
WITH named AS (
    SELECT id_key, trim(unnest(regexp_split_to_array(scope, '[;,]'))) AS unit_name FROM core.waivers
        WHERE reach = 'units'
),
covering AS (
    SELECT DISTINCT
        w.id_key, w.id, w.system_key, w.reach, w.scope, g.stage,
        w.criterion IS NULL OR c.metric IN ('benchmark_coverage', 'links_planned',
            'gate_decision_approved') AS covers_missing
    FROM core.waivers w
    JOIN core.systems s ON s.system_key = w.system_key
    JOIN core.gates g ON g.playbook = s.playbook AND g.gate = w.gate AND g.stage IS NOT NULL
    LEFT JOIN core.criteria c
        ON c.playbook = g.playbook AND c.gate = g.gate AND w.criterion IN (c.criterion, c.metric)
    LEFT JOIN core.metric_definitions d ON d.metric = c.metric
    WHERE w.in_force AND CASE WHEN w.criterion IS NULL THEN w.covers_gate
        ELSE d.spread = 'unit' OR (d.spread = 'block' AND g.stage = 'handed_over') END
)
SELECT
    u.system_key,
    u.unit_key,
    v.stage,
    bool_or(v.covers_missing) AS covers_missing,
    min(v.id) AS waiver_id
FROM core.units u
JOIN covering v
    ON v.system_key = u.system_key
    AND (
        v.reach = 'system'
        OR (v.reach = 'block' AND v.scope = u.block_key)
        OR (v.reach = 'units' AND EXISTS (
            SELECT 1 FROM named n WHERE n.id_key = v.id_key AND n.unit_name IN (u.node_key, u.name_key, u.unit_key)
        ))
    )
GROUP BY u.system_key, u.unit_key, v.stage
