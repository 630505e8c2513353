-- ---
-- title: Goods under way
-- unit: pieces
-- definition: Pieces that left their vendor and are not on a receipt, whatever the carrier says; delivered ones included.
-- formula: sum over shipment lines of shipped - arrived
-- aggregate: sum
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, g.shipment_key AS unit_key,
    g.shipment || '/' || g.line AS unit_id, NULL AS block_key, g.quantity - g.arrived AS value, 1 AS weight,
    'shipments' AS dataset, g._ingest, g._row, g._sheet, g.last_event_at AS observed_at,
    g.origin || ' to ' || g.destination || ', ' || g.mode || ', ' || g.state || coalesce(', expected ' || g.eta, '') AS note
FROM core.goods_under_way g
