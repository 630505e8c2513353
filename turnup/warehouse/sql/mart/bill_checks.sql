-- table: mart.bill_checks
-- grain: one row is a figure of a system's bill of material beside the same figure from another plan
-- key: system_key, check_name, item
SELECT
    c.system_key,
    coalesce(s.system_id, c.system_key) AS system_id,
    c.check_name,
    c.item,
    c.in_bill,
    c.elsewhere,
    c.beside,
    c.in_bill = c.elsewhere AS agrees
FROM core.bill_checks c
LEFT JOIN core.systems s ON s.system_key = c.system_key
