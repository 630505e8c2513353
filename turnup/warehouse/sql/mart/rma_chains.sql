-- table: mart.rma_chains
-- grain: one row is the end of a chain of replacements: the serial number in use now for one that came first
-- key: root_key, serial_key
-- A chain ends too at a serial number that several are said to be replaced by: the next one begins there.
WITH now AS (
    SELECT serial_key, min(name) AS name, min(site_id) AS site_id, min(status) AS status, min(system_id_key) AS system_key
    FROM core.assets WHERE serial_key IS NOT NULL AND located GROUP BY serial_key
)
SELECT
    w.root_key,
    w.replaced_serial_key AS serial_key,
    w.replaced_serial AS serial,
    w.path,
    w.step_no AS swaps,
    w.kinds,
    w.opened,
    w.swapped_on,
    w.is_loop,
    n.serial_key IS NOT NULL AS is_recorded,
    n.name,
    n.site_id,
    n.status,
    s.system_id
FROM core.rma_swaps w
LEFT JOIN now n ON n.serial_key = w.replaced_serial_key
LEFT JOIN core.systems s ON s.system_key = coalesce(n.system_key, w.system_key)
WHERE w.is_last OR w.is_loop OR w.new_used_twice
