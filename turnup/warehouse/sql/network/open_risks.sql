-- table: core.open_risks
-- grain: one row is an open risk with a probability and days of impact
-- key: id
-- units: the capacity that it holds back.
SELECT
    id,
    title,
    system_id,
    system_id_key AS system_key,
    gate_key AS gate,
    probability::DOUBLE AS probability,
    impact_days::DOUBLE AS impact_days,
    block_key,
    impact_units::DECIMAL(18, 3) AS units,
    owner
FROM core.open_items
WHERE type = 'risk' AND probability > 0 AND impact_days > 0
