-- table: core.missing_goods
-- grain: one row is a part that a system still waits for
-- key: system_key, part_key
SELECT
    n.system_key,
    n.part_key,
    n.part_number,
    n.category,
    n.site_key,
    n.netting_order,
    n.needed,
    q.received,
    (n.needed - q.received)::DECIMAL(18, 3) AS missing
FROM core.part_needs n
JOIN core.part_supply q ON q.system_key = n.system_key AND q.part_key = n.part_key
WHERE n.in_bom AND n.fitted AND n.needed > q.received
