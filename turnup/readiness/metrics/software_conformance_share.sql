-- ---
-- title: Software as laid down
-- unit: share
-- definition: Share of the components with a golden version whose version on the node is that one. Not observed is not
--   conforming.
-- formula: components with their golden version / components with a golden version
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    w.system_key, u.system_id, w.unit_key, u.unit_id, u.block_key,
    (w.state = 'ok')::INTEGER AS value, 1 AS weight,
    CASE WHEN w._ingest IS NULL THEN u.dataset ELSE 'versions' END AS dataset,
    coalesce(w._ingest, u._ingest) AS _ingest,
    CASE WHEN w._ingest IS NULL THEN u._row ELSE w._row END AS _row,
    CASE WHEN w._ingest IS NULL THEN u._sheet ELSE w._sheet END AS _sheet,
    w.observed_at,
    w.component_key || ': ' || coalesce(w.version, 'not observed') || ', laid down ' || w.golden AS note
FROM core.unit_software w
JOIN core.units u ON u.system_key = w.system_key AND u.unit_key = w.unit_key
