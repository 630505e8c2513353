-- One row per node and test below its limit.
SELECT node, system_id, test, min(value) AS worst, count(*) FILTER (value < 95) AS slow
FROM {{ ref('figures') }} GROUP BY ALL HAVING min(value) < 95
