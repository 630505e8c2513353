-- title: Bandwidth and rates hold at scale
-- rule: every figure keeps the wanted share of what it is at the fewest nodes; one size alone says nothing
SELECT concat_ws(' ', test_key, metric_key, direction, placement, 'at', nodes, 'nodes') AS subject,
    CASE verdict WHEN 'pass' THEN 'go' ELSE 'no-go' END AS state,
    figure(value) || ' ' || unit || ', ' || figure(round(100 * efficiency, 1)) || ' % of ' || base_nodes || ' nodes'
        AS note,
    'benchmarks' AS dataset, NULL AS _ingest, NULL AS _sheet, NULL::BIGINT AS _row
FROM acceptance.scaling c JOIN audited a ON a.system_key = c.system_key
WHERE verdict <> 'base'
