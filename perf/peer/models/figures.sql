-- One row per benchmark figure, typed.
SELECT lower(node) AS node, system_id, test, member, try_cast(value AS DOUBLE) AS value, unit,
    try_cast(measured_at AS TIMESTAMP) AS measured_at
FROM raw.benchmarks
