-- table: core.part_prices
-- grain: one row is a part with the price of one piece: that of its newest order, else of a bill of material
-- key: part_key
WITH ordered AS (
    SELECT
        part_number_key AS part_key, unit_cost AS price, currency,
        row_number() OVER (PARTITION BY part_number_key ORDER BY ordered DESC NULLS LAST, po_key, line_key, _ingest, _row)
            AS newest
    FROM stg.purchase_orders WHERE unit_cost IS NOT NULL AND part_number_key IS NOT NULL
),
billed AS (
    SELECT part_key, arg_min(unit_price, (system_key, line_key)) AS price, arg_min(currency, (system_key, line_key)) AS currency
    FROM core.bom_lines WHERE unit_price IS NOT NULL GROUP BY part_key
)
SELECT
    coalesce(o.part_key, b.part_key) AS part_key,
    coalesce(o.price, b.price)::DECIMAL(18, 6) AS price,
    CASE WHEN o.part_key IS NOT NULL THEN o.currency ELSE b.currency END AS currency
FROM (SELECT * FROM ordered WHERE newest = 1) o
FULL JOIN billed b ON b.part_key = o.part_key
