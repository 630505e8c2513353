-- One row per benchmark figure: of those delivered again, the last one.
SELECT lower(node) AS node, system_id, test, member, value, unit, measured_at
FROM {{ ref('stg_benchmarks') }}
QUALIFY row_number() OVER (PARTITION BY run, lower(node), test, metric, statistic, member ORDER BY file DESC) = 1
