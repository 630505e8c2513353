-- table: core.subjects
-- grain: one row is a unit that is judged by measurements, with the day its hardware last changed
-- key: subject_no
-- Racking, cabling, powering and any replaced part change the hardware: what was measured before says nothing about it.
SELECT
    hash(u.system_key, u.unit_key) AS subject_no,
    u.unit_id AS subject_id,
    u.system_key,
    u.unit_key,
    greatest(i.racked, i.cabled, i.powered, f.swapped)::TIMESTAMP AS changed_on,
    true AS dated
FROM core.units u
LEFT JOIN core.assets i ON i.asset_key = u.asset_key
LEFT JOIN (
    SELECT system_key, unit_key, max(closed) AS swapped FROM core.unit_failures
    WHERE is_swap AND closed IS NOT NULL GROUP BY ALL
) f ON f.system_key = u.system_key AND f.unit_key = u.unit_key
