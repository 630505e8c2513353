-- One row per purchase order line, with its newest promise and what came of it.
WITH promised AS (SELECT po, line, max(promised) AS promised FROM {{ ref('stg_po_schedule') }} GROUP BY ALL),
     shipped AS (SELECT po, po_line AS line, sum(quantity) AS shipped FROM {{ ref('stg_shipments') }} GROUP BY ALL),
     received AS (SELECT po, po_line AS line, sum(qty_good) AS received FROM {{ ref('stg_receipts') }} GROUP BY ALL)
SELECT o.po, o.line, o.part_number, o.quantity AS ordered, a.system_id, promised,
    coalesce(shipped, 0) AS shipped, coalesce(received, 0) AS received
FROM {{ ref('stg_purchase_orders') }} o LEFT JOIN {{ ref('stg_po_allocations') }} a USING (po, line)
LEFT JOIN promised USING (po, line) LEFT JOIN shipped USING (po, line) LEFT JOIN received USING (po, line)
