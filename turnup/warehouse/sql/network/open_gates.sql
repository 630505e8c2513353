-- table: core.open_gates
-- grain: one row is a gate of a block, passed or not, with what the forecast needs to know of it
-- key: system_key, block_key, gate
-- open_share: of a gate that advances unit by unit, the capacity of the block still to come; 1 where it does not.
-- missing_share: the capacity of the block that has not reached the stage that the gate closes, whatever its kind.
-- satisfied, begun: by the gate's own criteria, whatever other systems it needs.
-- of_system: every criterion is judged on the whole system; of_site: some criterion asks whether the site is ready.
WITH asked AS (
    SELECT
        s.system_key, c.gate,
        bool_and(c.scope = 'system') AS of_system,
        bool_or(starts_with(c.metric, 'site_')) AS of_site
    FROM core.systems s
    JOIN core.criteria c ON c.playbook = s.playbook AND list_contains(c.supply_models, s.supply_model)
    GROUP BY ALL
),
bearing AS (
    SELECT system_key, sum(capacity) / count(*) AS per_unit FROM core.units WHERE capacity > 0 GROUP BY ALL
),
own AS (
    SELECT system_key, block, gate, bool_and(state IN ('met', 'waived')) AS satisfied,
        bool_or(state IN ('met', 'waived')) AS begun
    FROM core.own_criteria GROUP BY ALL
),
listed AS (SELECT system_key, max(capacity_per_unit) AS per_unit FROM core.capacity_parts GROUP BY ALL)
SELECT
    g.system_key,
    b.block_key,
    g.gate_no,
    g.gate,
    g.title,
    g.owner_role,
    d.stage,
    d.pool,
    d.optimistic_d,
    d.likely_d,
    d.pessimistic_d,
    d.lead_per,
    g.state IN ('passed', 'waived') AS passed,
    g.passed_on,
    g.entered_on,
    w.satisfied,
    w.begun,
    g.is_current,
    a.of_system,
    a.of_site,
    CASE
        WHEN d.stage NOT IN ('installed', 'powered', 'l1_valid', 'accepted') OR b.planned = 0 OR f.reached IS NULL THEN 1
        ELSE greatest(0, b.planned - f.reached) / b.planned
    END::DOUBLE AS open_share,
    CASE WHEN b.planned = 0 OR f.reached IS NULL THEN 1 ELSE greatest(0, b.planned - f.reached) / b.planned END::DOUBLE
        AS missing_share,
    ceil(b.planned / coalesce(u.per_unit, l.per_unit))::INTEGER AS units
FROM mart.gates g
JOIN core.systems s ON s.system_key = g.system_key
JOIN core.block_sizes b ON b.system_key = g.system_key AND b.block = g.block
JOIN core.gates d ON d.playbook = s.playbook AND d.gate = g.gate
JOIN asked a ON a.system_key = g.system_key AND a.gate = g.gate
JOIN own w ON w.system_key = g.system_key AND w.block = g.block AND w.gate = g.gate
LEFT JOIN core.block_funnel f ON f.system_key = g.system_key AND f.block_key = b.block_key AND f.stage = d.stage
LEFT JOIN bearing u ON u.system_key = g.system_key
LEFT JOIN listed l ON l.system_key = g.system_key
