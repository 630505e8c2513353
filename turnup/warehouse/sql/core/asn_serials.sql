-- table: core.asn_serials
-- grain: one row is a shipment whose announced serial numbers differ from those received
-- key: shipment_key
-- Compared where the shipment announces serial numbers and receipts name serial numbers for it. Missing: announced, and
-- on no receipt at all; in_place are those of them that stand installed nevertheless. Extra: received under this shipment,
-- which did not announce it.
WITH both_told AS (
    SELECT DISTINCT shipment_key FROM core.shipment_serials
    INTERSECT
    SELECT DISTINCT shipment_key FROM core.receipt_serials WHERE shipment_key IS NOT NULL
),
differing AS (
    SELECT s.shipment_key, s.serial_key, 'missing' AS difference
    FROM core.shipment_serials s SEMI JOIN both_told b ON b.shipment_key = s.shipment_key
    ANTI JOIN core.receipt_serials r ON r.serial_key = s.serial_key
    UNION
    SELECT r.shipment_key, r.serial_key, 'extra'
    FROM core.receipt_serials r SEMI JOIN both_told b ON b.shipment_key = r.shipment_key
    ANTI JOIN core.shipment_serials s ON s.shipment_key = r.shipment_key AND s.serial_key = r.serial_key
)
SELECT
    d.shipment_key,
    count(*) FILTER (d.difference = 'missing')::INTEGER AS missing,
    count(*) FILTER (d.difference = 'missing' AND i.serial_key IS NOT NULL)::INTEGER AS in_place,
    count(*) FILTER (d.difference = 'extra')::INTEGER AS extra,
    list(d.serial_key ORDER BY d.serial_key) FILTER (d.difference = 'missing') AS missing_serials,
    list(d.serial_key ORDER BY d.serial_key) FILTER (d.difference = 'extra') AS extra_serials
FROM differing d
LEFT JOIN (
    SELECT DISTINCT a.serial_key FROM core.assets a CROSS JOIN core.settings p
    WHERE a.racked <= p.as_of AND a.status NOT IN ('planned', 'inventory')
) i ON i.serial_key = d.serial_key
GROUP BY d.shipment_key
