-- table: core.charge_totals
-- grain: one row is a kind of charge over all shipment lines, with what its sum leaves out
-- key: charge
SELECT
    c.charge,
    any_value(n.lines)::INTEGER AS lines,
    count(c.amount)::INTEGER AS numbers,
    coalesce(sum(c.amount), 0)::DECIMAL(18, 3) AS total,
    (count(*) FILTER (c.reason = 'included'))::INTEGER AS included,
    (count(*) FILTER (c.reason = 'separate'))::INTEGER AS separate,
    (count(*) FILTER (c.reason = 'reference'))::INTEGER AS "references",
    (count(*) FILTER (c.reason = 'reference' AND c.resolved = 'number'))::INTEGER AS references_to_numbers,
    (count(*) FILTER (c.reason = 'reference' AND c.resolved = 'unresolved'))::INTEGER AS unresolved,
    (any_value(n.lines) - count(*))::INTEGER AS blank,
    'sum of ' || count(c.amount) || ' numbers; without ' || (any_value(n.lines) - count(c.amount))
        || ' lines that have none of their own' AS note
FROM core.shipment_charges c
CROSS JOIN (SELECT count(*) AS lines FROM core.shipment_states) n
GROUP BY c.charge
