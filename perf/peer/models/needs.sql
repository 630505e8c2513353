-- One row per system and part: pieces needed, assemblies multiplied out once.
SELECT b.system_id, b.part_number,
    sum(try_cast(b.quantity AS DOUBLE) * coalesce(try_cast(p.quantity AS DOUBLE), 1)) AS needed
FROM raw.bom b LEFT JOIN raw.bom p ON p.system_id = b.system_id AND p.line = b.parent_line GROUP BY ALL
