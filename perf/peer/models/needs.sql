-- One row per system and part: pieces needed, assemblies multiplied out once.
SELECT b.system_id, b.part_number, sum(b.quantity * coalesce(p.quantity, 1)) AS needed
FROM {{ ref('stg_bom') }} b LEFT JOIN {{ ref('stg_bom') }} p ON p.system_id = b.system_id AND p.line = b.parent_line
GROUP BY ALL
