-- One row per system with open needs: parts that nothing covers, and when the last piece comes (empty: not known).
SELECT system_id, count(DISTINCT part_number) FILTER (lot IS NULL) AS short_parts,
    coalesce(sum(given) FILTER (lot IS NULL), 0) AS short_pieces,
    CASE WHEN count(*) FILTER (comes IS NULL) = 0 THEN max(comes) END AS last_at
FROM {{ ref('netting') }} GROUP BY ALL
