-- table: core.netted_parts
-- grain: one row is a part that somebody needs or may use instead, with the number that stands for it in the netting
-- key: part_key
SELECT part_key, row_number() OVER (ORDER BY part_key) AS part_no
FROM (SELECT part_key FROM core.bom_lines UNION SELECT part_key FROM core.bom_alternates)
