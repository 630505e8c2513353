-- table: core.open_vendors
-- grain: one row is a part that a system is short of and of which order lines are open, with the vendors they are open at
-- key: part_key
-- A part with an open line that names no vendor is left out: who holds it is not known.
SELECT
    l.part_key,
    count(DISTINCT lower(trim(o.vendor)))::INTEGER AS vendors,
    first(trim(o.vendor) ORDER BY o.po, o.line) AS vendor,
    sum(o.expected)::DECIMAL(18, 3) AS expected,
    first_names(list(o.po || '/' || o.line ORDER BY o.po, o.line)) AS order_lines
FROM core.order_lines o
JOIN core.purchase_lines l ON l.po_key = o.po_key AND l.line_key = o.line_key
WHERE o.expected > 0 AND l.part_key IN (SELECT part_key FROM mart.supply WHERE short > 0 AND orderable)
GROUP BY l.part_key
HAVING count(*) FILTER (o.vendor IS NULL) = 0
