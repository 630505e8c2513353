-- ---
-- title: Receipts that differ from their shipment
-- unit: count
-- definition: Lines of shipments of which less, more, damaged or other pieces arrived than were announced, and which their
--   order has not made good.
-- formula: count of short, over, damaged and other receipts
-- aggregate: sum
-- spread: programme
-- ---
SELECT
    '(programme)' AS system_key, '(programme)' AS system_id, f.item_key AS unit_key, f.shipment AS unit_id,
    NULL AS block_key, 1 AS value, 1 AS weight,
    f.dataset, f._ingest, f._row, f._sheet, f.last_received::TIMESTAMP AS observed_at,
    f.fault || ': ' || f.shipped || ' announced, ' || f.arrived || ' arrived, ' || f.rejected || ' rejected' AS note
FROM core.asn_faults f
