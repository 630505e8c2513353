-- table: core.charge_totals
-- grain: one row is a kind of charge over all shipment lines, with what its sum leaves out
-- key: charge
SELECT
    charge,
    count(*)::INTEGER AS lines,
    count(amount)::INTEGER AS numbers,
    coalesce(sum(amount), 0)::DECIMAL(18, 3) AS total,
    (count(*) FILTER (reason = 'included'))::INTEGER AS included,
    (count(*) FILTER (reason = 'separate'))::INTEGER AS separate,
    (count(*) FILTER (reason = 'reference'))::INTEGER AS "references",
    (count(*) FILTER (reason = 'reference' AND resolved = 'number'))::INTEGER AS references_to_numbers,
    (count(*) FILTER (reason = 'reference' AND resolved = 'unresolved'))::INTEGER AS unresolved,
    (count(*) FILTER (amount IS NULL AND reason IS NULL))::INTEGER AS blank,
    'sum of ' || count(amount) || ' numbers; without ' || (count(*) - count(amount)) || ' lines that have none of their own'
        AS note
FROM core.shipment_charges
GROUP BY charge
