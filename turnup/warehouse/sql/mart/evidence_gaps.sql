-- table: core.evidence_gaps
-- grain: one row is a block whose required evidence is missing or too old
-- key: system_key, block
-- Required: the criteria of the first open gate and the standing criteria of gates that have passed.
SELECT
    c.system_key,
    c.block,
    count(*) AS gaps,
    first(c.gate || ': ' || c.message ORDER BY c.gate_no, c.criterion_no) AS first_gap
FROM mart.criteria c
JOIN mart.gates g ON g.system_key = c.system_key AND g.block = c.block AND g.gate = c.gate
WHERE c.state IN ('no data', 'stale') AND (g.is_current OR (c.standing
    AND g.state IN ('passed', 'waived', 'regressed')))
GROUP BY c.system_key, c.block
