-- table: core.repeated_lines
-- grain: one row is a line of a bill, an order, a shipment or a receipt that several staged rows are about
-- key: dataset, document_key, line_key
-- Sources may overlap; as a rule they do not. Models that take the first row of a line look only at these for others.
SELECT 'bom' AS dataset, system_id_key AS document_key, line_key
FROM stg.bom GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT 'purchase_orders', po_key, line_key FROM stg.purchase_orders GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT 'shipments', shipment_key, line_key FROM stg.shipments GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT 'receipts', receipt_key, line_key FROM stg.receipts GROUP BY ALL HAVING count(*) > 1
