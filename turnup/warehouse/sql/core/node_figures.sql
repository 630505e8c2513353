-- table: core.node_figures
-- grain: one row is a measured figure for each name that its run used
-- key: name_key, row_no
-- A run over several nodes measures each of them, and all together as a group of that size.
WITH known AS (
    SELECT b.*, hash(b._ingest, b._row, coalesce(b._sheet, '')) AS row_no FROM stg.benchmarks b CROSS JOIN core.settings p
    WHERE b.measured_at IS NULL OR b.measured_at <= p.cut_off
),
named AS (
    SELECT *, node_key AS name_key, 1 AS nodes FROM known WHERE NOT contains(node_key, ',')
    UNION ALL
    SELECT *, trim(unnest(string_split(node_key, ','))) AS name_key, len(string_split(node_key, ',')) AS nodes
    FROM known WHERE contains(node_key, ',')
    UNION ALL
    SELECT *, system_id_key AS name_key, NULL AS nodes FROM known
    WHERE system_id_key IS NOT NULL AND system_id_key <> node_key
)
SELECT
    name_key,
    row_no,
    nodes,
    node AS hosts,
    run,
    run_key,
    lower(trim(test)) AS test_key,
    lower(trim(metric)) AS metric_key,
    coalesce(statistic, 'value') AS statistic,
    coalesce(direction, 'none') AS direction,
    coalesce(placement, 'none') AS placement,
    coalesce(member, 'all') AS member,
    coalesce(size_bytes, 0) AS size_bytes,
    value,
    trim(unit) AS unit,
    lower(trim(sku)) AS sku_key,
    stack,
    coalesce(status, CASE WHEN value IS NULL THEN 'not_measured' ELSE 'valid' END) AS status,
    outcome,
    coalesce(complete, false) AS complete,
    coalesce(correctness, 'unverified') AS correctness,
    measured_at,
    _ingest,
    _row,
    _sheet
FROM named
WHERE name_key <> ''
