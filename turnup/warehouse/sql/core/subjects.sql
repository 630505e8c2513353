-- table: core.subjects
-- grain: one row is a unit that is judged by measurements, with the day its hardware last changed
-- key: subject_no
-- Racking, cabling, powering and a replaced serial change the hardware: what was measured before says nothing about it.
SELECT
    hash(u.system_key, u.unit_key) AS subject_no,
    u.unit_id AS subject_id,
    u.system_key,
    u.unit_key,
    greatest(i.racked, i.cabled, i.powered, max(f.closed))::TIMESTAMP AS changed_on,
    true AS dated
FROM core.units u
LEFT JOIN core.assets i ON i.asset_key = u.asset_key
LEFT JOIN stg.failures f ON f.replaced_serial_key = u.serial_key
GROUP BY u.system_key, u.unit_key, u.unit_id, i.racked, i.cabled, i.powered
