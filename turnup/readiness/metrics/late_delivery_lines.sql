-- ---
-- title: Late delivery lines
-- unit: lines
-- definition: Delivered shipment lines of the system's orders that came after their scheduled date.
-- formula: count of lines with delivered after scheduled
-- aggregate: sum
-- spread: system
-- ---
SELECT
    a.system_key, s.system_id, NULL AS unit_key, h.shipment || '/' || h.line AS unit_id, NULL AS block_key,
    (h.delivered > h.scheduled)::INTEGER AS value, 1 AS weight,
    'shipments' AS dataset, h._ingest, h._row, h._sheet, h.delivered::TIMESTAMP AS observed_at,
    'scheduled ' || h.scheduled || ', delivered ' || h.delivered AS note
FROM stg.shipments h
JOIN core.allocations a ON a.po_key = h.po_key AND a.line_key = h.po_line_key
JOIN core.systems s ON s.system_key = a.system_key
WHERE h.delivered IS NOT NULL AND h.scheduled IS NOT NULL
