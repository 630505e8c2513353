-- ---
-- title: Provisioned
-- unit: share
-- definition: Share of capacity-bearing production assets that are provisioned.
-- formula: assets with a provisioned date / assets
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    a.system_key, a.system_id, a.unit_key, a.unit_id, a.block_key,
    (coalesce(a.provisioned <= p.as_of, false))::INTEGER AS value, 1 AS weight,
    a.dataset, a._ingest, a._row, a._sheet, a.provisioned::TIMESTAMP AS observed_at,
    coalesce('provisioned ' || a.provisioned, 'no provisioned date') AS note
FROM core.asset_units a
CROSS JOIN core.settings p
WHERE a.dataset = 'installs'
