-- table: core.line_supply
-- grain: one row is a commitment line in force with the schedulable capacity that serves it
-- key: contract_key, line_key, phase_key
-- A system's schedulable capacity serves its lines by contract date; a surplus of one line never covers another's
-- gap.
SELECT
    c.*,
    greatest(0, least(c.quantity, f.reached - (c.cumulative - c.quantity)))::DECIMAL(18, 3) AS schedulable,
    CASE WHEN c.due_now
        THEN c.quantity - greatest(0, least(c.quantity, f.reached - (c.cumulative - c.quantity)))
        ELSE 0
    END::DECIMAL(18, 3) AS shortfall
FROM core.commitment_lines c
JOIN core.funnel f ON f.system_key = c.system_key AND f.stage = 'schedulable'
