-- table: mart.shipment_etas
-- grain: one row is a shipment that is under way or was delivered in the last four weeks, with its days of arrival told
-- key: shipment_key
WITH moving AS (
    SELECT shipment_key, min(vendor) AS vendor, min(origin) AS origin, min(destination) AS destination,
        min(mode) AS mode, sum(quantity - arrived) AS quantity
    FROM core.goods_under_way GROUP BY shipment_key
),
told AS (
    SELECT shipment_key, string_agg(eta::VARCHAR, ' -> ' ORDER BY told_no) AS history FROM core.eta_told GROUP BY ALL
)
SELECT
    e.* EXCLUDE (_ingest, _row, _sheet),
    m.vendor,
    m.origin,
    m.destination,
    m.mode,
    m.quantity,
    m.shipment_key IS NOT NULL AS is_under_way,
    h.history,
    i.file,
    e._row AS "row"
FROM core.shipment_etas e
CROSS JOIN core.settings p
JOIN told h ON h.shipment_key = e.shipment_key
LEFT JOIN moving m ON m.shipment_key = e.shipment_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = e._ingest
WHERE m.shipment_key IS NOT NULL OR e.delivered > p.as_of - p.rate_days
