-- table: mart.site_gates
-- grain: one row is a gate at a site, over the systems there that have it
-- key: site_id, gate
-- passed: systems with every block past the gate. worst: worst status of the systems waiting at it; where none waits,
-- green when all have passed and grey otherwise (no evidence).
WITH by_system AS (
    SELECT
        s.site_id, s.site_name, s.unit, s.status, g.gate,
        min(g.gate_no) AS gate_no,
        bool_and(g.state IN ('passed', 'waived')) AS passed,
        bool_or(g.is_current OR g.state = 'regressed') AS waiting,
        sum(g.waiting_capacity) AS held
    FROM mart.gates g
    JOIN mart.systems s ON s.system_key = g.system_key
    GROUP BY s.system_key, s.site_id, s.site_name, s.unit, s.status, g.gate
),
held AS (
    SELECT site_id, gate, string_agg(figure(quantity) || ' ' || unit, ', ' ORDER BY unit) AS blocked
    FROM (SELECT site_id, gate, unit, sum(held) AS quantity FROM by_system WHERE held > 0 GROUP BY ALL)
    GROUP BY site_id, gate
),
ranked AS (
    SELECT *, CASE status WHEN 'red' THEN 1 WHEN 'amber' THEN 2 WHEN 'grey' THEN 3 ELSE 4 END AS status_rank
        FROM by_system
)
SELECT
    r.site_id,
    any_value(r.site_name) AS site_name,
    min(r.gate_no) AS gate_no,
    r.gate,
    (count(*) FILTER (r.passed))::INTEGER AS passed,
    count(*)::INTEGER AS total,
    CASE min(r.status_rank) FILTER (r.waiting)
        WHEN 1 THEN 'red' WHEN 2 THEN 'amber' WHEN 3 THEN 'grey' WHEN 4 THEN 'green'
        ELSE CASE WHEN bool_and(r.passed) THEN 'green' ELSE 'grey' END
    END AS worst,
    any_value(h.blocked) AS blocked_capacity
FROM ranked r
LEFT JOIN held h ON h.site_id = r.site_id AND h.gate = r.gate
GROUP BY r.site_id, r.gate
