-- table: mart.held_devices
-- grain: one row is a device of a cable plan that cannot be finished because optics are missing
-- key: system_key, device
-- A server is held by its own cages, by those at the far ends of its cables and by the fabric; capacity is what waits with
-- it, until the day on which the last of these optics comes (empty: some have no day).
SELECT
    k.system_key, s.system_id, b.block, k.device, k.side, k.cages, k.missing, k.capacity, s.unit, k.ready_on AS held_until
FROM core.kit_devices k
JOIN core.systems s ON s.system_key = k.system_key
LEFT JOIN core.block_needs b ON b.system_key = k.system_key AND b.block_key = k.block_key
WHERE NOT k.ready
