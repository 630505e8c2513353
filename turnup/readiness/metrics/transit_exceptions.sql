-- ---
-- title: Shipments with an exception
-- unit: shipments
-- definition: Shipments under way that are held in customs, delivered without a receipt, past the day told last, or silent
--   although their carrier is heard of.
-- formula: count of shipments under way with an exception
-- aggregate: sum
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, e.shipment_key AS unit_key, e.shipment AS unit_id,
    NULL AS block_key, (e.rank = 1)::INTEGER AS value, 1 AS weight,
    'shipments' AS dataset, e._ingest, e._row, e._sheet, e.last_event_at AS observed_at,
    replace(e.exception, '_', ' ') || ' since ' || e.since || ', ' || e.days || ' days' AS note
FROM core.transit_exceptions e
