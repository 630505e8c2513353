-- ---
-- title: Racks ready for the block
-- unit: ratio
-- definition: >-
--   Rack positions of the ready phases of the hall against the racks of all that is installed or due in it up to this block.
--   Unknown loads make it no data unless the known ones alone are too many.
-- formula: ready racks / racks up to the block
-- aggregate: min
-- spread: unit
-- ---
SELECT
    r.system_key, r.system_id, NULL AS unit_key, concat_ws('/', f.site_id, f.hall, f.phase) AS unit_id, r.block_key,
    r.ratio AS value, 1 AS weight,
    'facility_capacity' AS dataset, f._ingest, f._row, f._sheet, NULL::TIMESTAMP AS observed_at, r.note
FROM core.block_room r
JOIN core.hall_supply f
    ON f.site_key = r.site_key AND (r.hall_key IS NULL OR f.hall_key = r.hall_key) AND f.resource = r.resource
WHERE r.resource = 'racks'
