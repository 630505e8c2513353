-- One row per node: how busy its devices were.
SELECT node, avg(value) AS use, count(*) AS samples FROM {{ ref('stg_utilization') }} GROUP BY ALL
