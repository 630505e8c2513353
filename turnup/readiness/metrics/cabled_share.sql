-- ---
-- title: Cabled
-- unit: share
-- definition: Share of capacity-bearing production assets that are cabled.
-- formula: assets with a cabled date / assets
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    a.system_key, a.system_id, a.unit_key, a.unit_id, a.block_key,
    (coalesce(a.cabled <= p.as_of, false))::INTEGER AS value, 1 AS weight,
    a.dataset, a._ingest, a._row, a._sheet, a.cabled::TIMESTAMP AS observed_at,
    coalesce('cabled ' || a.cabled, 'no cabled date') AS note
FROM core.asset_units a
CROSS JOIN core.settings p
WHERE a.dataset = 'installs'
