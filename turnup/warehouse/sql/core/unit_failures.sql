-- table: core.unit_failures
-- grain: one row is a fault of a unit or of a part in it
-- key: failure_key, system_key, unit_key
WITH parts AS (
    SELECT system_key, unit_key, serial_key FROM core.units WHERE serial_key IS NOT NULL
    UNION
    SELECT u.system_key, u.unit_key, i.serial_key
    FROM stg.installs i JOIN core.units u ON u.serial_key = i.parent_serial_key
    WHERE i.serial_key IS NOT NULL
),
named AS (
    SELECT f.failure_id_key AS failure_key, n.system_key, n.unit_key
    FROM stg.failures f JOIN core.unit_names n ON n.name_key = f.node_key
    UNION
    SELECT f.failure_id_key, p.system_key, p.unit_key
    FROM stg.failures f JOIN parts p ON p.serial_key = f.serial_key
    UNION
    SELECT f.failure_id_key, p.system_key, p.unit_key
    FROM stg.failures f JOIN parts p ON p.serial_key = f.replaced_serial_key
)
SELECT
    n.failure_key,
    n.system_key,
    n.unit_key,
    f.failure_id,
    lower(trim(f.kind)) AS kind,
    f.opened,
    f.closed,
    f.replaced_serial_key IS NOT NULL AS is_swap,
    date_diff('day', e.running_since, f.opened) AS age_days,
    f._ingest,
    f._row,
    f._sheet
FROM named n
JOIN stg.failures f ON f.failure_id_key = n.failure_key
CROSS JOIN core.settings p
LEFT JOIN core.unit_exposure e ON e.system_key = n.system_key AND e.unit_key = n.unit_key
WHERE f.opened <= p.as_of
QUALIFY row_number() OVER (
    PARTITION BY n.failure_key, n.system_key, n.unit_key ORDER BY f._ingest, f._row, f._sheet) = 1
