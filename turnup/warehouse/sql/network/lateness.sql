-- table: core.lateness
-- grain: one row is a promise that came due, with the days between the promise and what happened
-- key: source, lateness_key
-- Lines of one shipment that were due and came together are one case. Early ones are negative.
WITH parts AS (
    SELECT part_key, min(category) AS category FROM core.bom_lines WHERE category IS NOT NULL GROUP BY ALL
),
modes AS (
    SELECT h.shipment_key, h.line_key, min(h.mode) AS mode, min(coalesce(l.part_key, h.part_number_key)) AS part_key
    FROM stg.shipments h
    LEFT JOIN core.purchase_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
    GROUP BY ALL
)
SELECT
    'shipment' AS source,
    concat_ws('/', s.shipment_key, s.scheduled, s.delivered) AS lateness_key,
    any_value(lower(trim(s.vendor))) AS vendor,
    min(p.category) AS category,
    min(lower(trim(m.mode))) AS mode,
    (s.delivered - s.scheduled)::INTEGER AS days,
    s.delivered AS happened
FROM core.shipment_lines s
JOIN modes m ON m.shipment_key = s.shipment_key AND m.line_key = s.line_key
LEFT JOIN parts p ON p.part_key = m.part_key
WHERE s.scheduled IS NOT NULL
GROUP BY s.shipment_key, s.scheduled, s.delivered
UNION ALL
SELECT
    'order', concat_ws('/', l.po_key, l.line_key), lower(trim(l.vendor)), p.category, NULL,
    (o.last_received - l.promised)::INTEGER, o.last_received
FROM core.purchase_lines l
JOIN core.order_lines o ON o.po_key = l.po_key AND o.line_key = l.line_key
LEFT JOIN parts p ON p.part_key = l.part_key
WHERE l.promised IS NOT NULL AND o.last_received IS NOT NULL AND o.complete >= o.ordered AND o.ordered > 0
UNION ALL
SELECT
    'circuit', circuit_key, lower(trim(coalesce(provider, '(unknown)'))), lower(trim(type)), NULL,
    (coalesce(delivered, tested, in_service) - firm_date)::INTEGER, coalesce(delivered, tested, in_service)
FROM core.circuit_now
WHERE firm_date IS NOT NULL AND coalesce(delivered, tested, in_service) <= as_of
UNION ALL
SELECT
    'site', concat_ws('/', f.site_id_key, lower(f.hall), lower(f.phase)), f.site_id_key, 'facility', NULL,
    (f.actual_ready - f.planned_ready)::INTEGER, f.actual_ready
FROM stg.facility_capacity f
CROSS JOIN core.settings p
WHERE f.actual_ready <= p.as_of AND f.planned_ready IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY f.site_id_key, lower(f.hall), lower(f.phase)
    ORDER BY f._ingest, f._sheet, f._row) = 1
