-- One row per node: how busy its devices were.
SELECT node, avg(try_cast(value AS DOUBLE)) AS use, count(*) AS samples FROM raw.utilization GROUP BY ALL
