-- table: core.circuit_devices
-- grain: one row is a device, or maintenance zone, of the provider that a circuit ends on
-- key: circuit_key, device_key
SELECT DISTINCT ON (circuit_key, device_key) circuit_key, lower(device) AS device_key, device
FROM (
    SELECT circuit_key, trim(unnest(string_split(provider_device, ';'))) AS device FROM core.circuit_now
)
WHERE device <> ''
ORDER BY circuit_key, device_key, device
