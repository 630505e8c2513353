-- table: core.unit_tests
-- grain: one row is a test that a unit must pass, with its verdict
-- key: system_key, unit_key, test_key, metric_key
-- verdict: pass, fail, or no data (no complete run, correctness not verified, older than the hardware, unit of
-- measure differs).
WITH hardware AS (
    SELECT u.system_key, u.unit_key, greatest(i.racked, i.cabled, i.powered, max(f.closed)) AS changed_on
    FROM core.units u
    LEFT JOIN core.assets i ON i.asset_key = u.asset_key
    LEFT JOIN stg.failures f ON f.replaced_serial_key = u.serial_key
    GROUP BY u.system_key, u.unit_key, i.racked, i.cabled, i.powered
),
results AS (
    SELECT n.system_key, n.unit_key, r.*
    FROM core.unit_names n JOIN core.node_results r ON r.name_key = n.name_key
    UNION ALL
    SELECT u.system_key, u.unit_key, r.*
    FROM core.units u JOIN core.node_results r ON r.name_key = u.system_key
    WHERE u.kind NOT IN ('gpu_cluster', 'cpu_cluster') AND r.name_key IS DISTINCT FROM u.node_key
),
newest AS (
    SELECT * FROM results
    QUALIFY row_number() OVER (
        PARTITION BY system_key, unit_key, test_key, metric_key, unit
            ORDER BY measured_at DESC NULLS LAST, run DESC, name_key
    ) = 1
),
skus AS (
    SELECT system_key, unit_key, part_key AS sku_key FROM core.units WHERE part_key IS NOT NULL
    UNION
    SELECT system_key, unit_key, sku_key FROM newest WHERE sku_key IS NOT NULL
),
required AS (
    SELECT k.system_key, k.unit_key, b.test_key, b.metric_key, b.unit, max(b.minimum) AS minimum
    FROM skus k JOIN core.baselines b ON b.sku_key = k.sku_key
    GROUP BY ALL
)
SELECT
    q.system_key,
    q.unit_key,
    q.test_key,
    q.metric_key,
    q.minimum,
    q.unit,
    n.value,
    n.run,
    n.measured_at,
    h.changed_on,
    CASE
        WHEN n.value IS NULL OR n.measured_at IS NULL OR (h.changed_on IS NOT NULL
            AND n.measured_at < h.changed_on) THEN 'no data'
        WHEN n.wrong THEN 'fail'
        WHEN NOT n.clean THEN 'no data'
        WHEN n.value >= q.minimum THEN 'pass'
        ELSE 'fail'
    END AS verdict,
    CASE
        WHEN n.value IS NULL THEN 'no complete run'
        WHEN n.measured_at IS NULL THEN 'run has no time'
        WHEN h.changed_on IS NOT NULL AND n.measured_at < h.changed_on
            THEN 'older than the hardware of ' || h.changed_on
        WHEN n.wrong THEN 'wrong values'
        WHEN NOT n.clean THEN 'correctness not verified'
        ELSE figure(n.value) || ' against ' || figure(q.minimum) || ' ' || q.unit
    END AS note,
    n._ingest,
    n._row,
    n._sheet
FROM required q
JOIN hardware h ON h.system_key = q.system_key AND h.unit_key = q.unit_key
LEFT JOIN newest n
    ON n.system_key = q.system_key AND n.unit_key = q.unit_key AND n.test_key = q.test_key
    AND n.metric_key = q.metric_key AND n.unit = q.unit
QUALIFY row_number() OVER (PARTITION BY q.system_key, q.unit_key, q.test_key, q.metric_key ORDER BY q.unit) = 1
