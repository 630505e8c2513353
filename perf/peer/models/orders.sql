-- One row per purchase order line, with its newest promise and what came of it.
WITH promised AS (SELECT po, line, max(try_cast(promised AS DATE)) AS promised FROM raw.po_schedule GROUP BY ALL),
     shipped AS (SELECT po, po_line AS line, sum(try_cast(quantity AS DOUBLE)) AS shipped FROM raw.shipments GROUP BY ALL),
     received AS (SELECT po, po_line AS line, sum(try_cast(qty_good AS DOUBLE)) AS received FROM raw.receipts GROUP BY ALL)
SELECT o.po, o.line, o.part_number, try_cast(o.quantity AS DOUBLE) AS ordered, a.system_id, promised,
    coalesce(shipped, 0) AS shipped, coalesce(received, 0) AS received
FROM raw.purchase_orders o LEFT JOIN raw.po_allocations a USING (po, line)
LEFT JOIN promised USING (po, line) LEFT JOIN shipped USING (po, line) LEFT JOIN received USING (po, line)
