-- table: mart.site_gates
-- grain: one row is a gate at a site, over the blocks of all systems there that have it
-- key: site_id, gate
-- worst: worst status of the systems waiting at the gate; grey also when nothing waits and nothing has evidence.
WITH waiting AS (
    SELECT
        s.site_id,
        g.gate,
        s.unit,
        sum(g.waiting_capacity) AS quantity
    FROM mart.gates g JOIN mart.systems s ON s.system_key = g.system_key
    WHERE g.waiting_capacity > 0 GROUP BY ALL
)
SELECT
    coalesce(s.site_id, '(no site)') AS site_id,
    any_value(s.site_name) AS site_name,
    min(g.gate_no) AS gate_no,
    g.gate,
    count(*) FILTER (g.state IN ('passed', 'waived')) AS passed,
    count(*) AS total,
    CASE min(CASE WHEN g.is_current OR g.state = 'regressed' THEN CASE s.status WHEN 'red' THEN 1 WHEN 'amber' THEN 2 WHEN 'grey' THEN 3 ELSE 4 END END)
        WHEN 1 THEN 'red' WHEN 2 THEN 'amber' WHEN 3 THEN 'grey' WHEN 4 THEN 'green'
        ELSE CASE WHEN bool_and(g.state IN ('passed', 'waived')) THEN 'green' ELSE 'grey' END
    END AS worst,
    (SELECT string_agg(figure(w.quantity) || ' ' || w.unit, ', ' ORDER BY w.unit) FROM waiting w
        WHERE w.site_id = any_value(s.site_id) AND w.gate = g.gate) AS blocked_capacity
FROM mart.gates g
JOIN mart.systems s ON s.system_key = g.system_key
GROUP BY s.site_id, g.gate
