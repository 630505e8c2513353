-- ---
-- title: Powered on
-- unit: share
-- definition: Share of capacity-bearing production assets that are powered on.
-- formula: assets with a powered date / assets
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    a.system_key, a.system_id, a.unit_key, a.unit_id, a.block_key,
    (coalesce(a.powered <= p.as_of, false))::INTEGER AS value, 1 AS weight,
    a.dataset, a._ingest, a._row, a._sheet, a.powered::TIMESTAMP AS observed_at,
    coalesce('powered ' || a.powered, 'no powered date') AS note
FROM core.asset_units a
CROSS JOIN core.settings p
WHERE a.dataset = 'installs'
