-- table: core.node_results
-- grain: one row is the judged figure of a node in a test: its newest complete run, at the largest size
-- key: name_key, test_key, metric_key, unit
-- In-place figures never stand in for out-of-place ones; an incomplete run is no result, and neither is what was not
-- measured. Of several members (GPUs, links, directions) the lowest figure counts.
WITH figures AS (
    SELECT b.*, lower(trim(b.test)) AS test_name, lower(trim(b.metric)) AS metric_name
    FROM stg.benchmarks b CROSS JOIN core.settings p
    WHERE b.measured_at IS NULL OR b.measured_at <= p.cut_off
),
runs AS (
    SELECT
        run_key,
        node_key,
        test_name,
        bool_and(complete) AS complete,
        bool_or(coalesce(correctness, 'unverified') = 'wrong') AS wrong,
        bool_and(coalesce(correctness, 'unverified') IN ('clean', 'not_applicable')) AS clean,
        max(measured_at) AS measured_at
    FROM figures GROUP BY ALL
),
largest AS (
    SELECT f.*, r.wrong, r.clean, r.measured_at AS run_at
    FROM figures f
    JOIN runs r ON r.run_key = f.run_key AND r.node_key = f.node_key AND r.test_name = f.test_name AND r.complete
    WHERE coalesce(f.placement, 'none') <> 'in_place' AND f.value IS NOT NULL AND coalesce(f.status, 'valid') = 'valid'
    QUALIFY row_number() OVER (
        PARTITION BY f.run_key, f.node_key, f.test_name, f.metric_name, f.unit
        ORDER BY coalesce(f.size_bytes, 0) DESC, f.statistic, f.value, f._ingest, f._row
    ) = 1
),
named AS (
    SELECT *, lower(trim(unnest(string_split(node, ',')))) AS name_key FROM largest
    UNION ALL
    SELECT *, system_id_key AS name_key FROM largest WHERE system_id_key IS NOT NULL
)
SELECT
    name_key,
    test_name AS test_key,
    metric_name AS metric_key,
    unit,
    run,
    value,
    lower(trim(sku)) AS sku_key,
    size_bytes,
    clean,
    wrong,
    run_at AS measured_at,
    _ingest,
    _row,
    _sheet
FROM named
WHERE name_key <> ''
QUALIFY row_number() OVER (
    PARTITION BY name_key, test_name, metric_name, unit
        ORDER BY run_at DESC NULLS LAST, run_key DESC, node_key, _ingest, _row
) = 1
