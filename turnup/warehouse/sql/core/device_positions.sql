-- table: core.device_positions
-- grain: one row is a device with where it was planned and where it stands
-- key: asset_key
-- Racks compare by letters and digits, positions by their first number (U03 is 3). A device that is racked without a
-- rack or position in the register is not known to stand as planned.
WITH placed AS (
    SELECT
        d.*,
        nullif(regexp_replace(lower(d.planned_rack), '[^a-z0-9]', '', 'g'), '') AS rack_to_be,
        nullif(regexp_replace(lower(d.rack), '[^a-z0-9]', '', 'g'), '') AS rack_is,
        coalesce(try_cast(nullif(regexp_extract(d.planned_position, '\d+'), '') AS INTEGER)::VARCHAR,
            nullif(lower(trim(d.planned_position)), '')) AS position_to_be,
        coalesce(try_cast(nullif(regexp_extract(d.position, '\d+'), '') AS INTEGER)::VARCHAR,
            nullif(lower(trim(d.position)), '')) AS position_is
    FROM core.devices d
)
SELECT
    p.asset_key,
    p.device,
    p.system_key,
    p.system_id,
    p.block_key,
    p.site_id,
    p.planned_rack,
    p.planned_position,
    p.rack,
    p.position,
    CASE
        WHEN p.racked IS NULL AND (p.rack_is IS NULL OR p.status IN ('planned', 'inventory')) THEN 'not placed'
        WHEN p.rack_to_be IS NULL AND p.position_to_be IS NULL THEN 'no plan'
        WHEN p.rack_is <> p.rack_to_be THEN 'other rack'
        WHEN p.position_is <> p.position_to_be THEN 'other position'
        WHEN (p.rack_to_be IS NOT NULL AND p.rack_is IS NULL)
            OR (p.position_to_be IS NOT NULL AND p.position_is IS NULL) THEN 'no position'
        ELSE 'as planned'
    END AS state,
    p.racked,
    p._ingest,
    p._row,
    p._sheet
FROM placed p
