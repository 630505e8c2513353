-- table: core.capacity_parts
-- grain: one row is a part that bears capacity in a system (approved alternates included)
-- key: system_key, part_key
WITH bearing AS (
    SELECT system_key, part_key, capacity_per_unit FROM core.bom_lines WHERE fitted AND capacity_per_unit > 0
    UNION ALL
    SELECT system_key, lower(trim(alternate)) AS part_key, capacity_per_unit
    FROM (
        SELECT system_key, capacity_per_unit, unnest(regexp_split_to_array(alternates, '[;,|]')) AS alternate
        FROM core.bom_lines
        WHERE fitted AND capacity_per_unit > 0 AND alternates IS NOT NULL
    )
)
SELECT system_key, part_key, max(capacity_per_unit)::DECIMAL(18, 3) AS capacity_per_unit
FROM bearing
WHERE part_key <> ''
GROUP BY ALL
