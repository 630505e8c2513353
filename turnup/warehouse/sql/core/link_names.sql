-- table: core.link_names
-- grain: one row is a device name as links spell it, with the name under which it is compared
-- key: device_key
-- A name with its domain is the short name, unless two domains have a device of that name.
WITH names AS (
    SELECT DISTINCT a_device_key AS device_key FROM stg.links
    UNION
    SELECT DISTINCT b_device_key FROM stg.links
),
domains AS (
    SELECT short_name(device_key) AS short, count(DISTINCT plain_name(device_key)) AS spellings
    FROM names WHERE plain_name(device_key) <> short_name(device_key) GROUP BY ALL
)
SELECT
    n.device_key,
    CASE WHEN d.spellings > 1 THEN plain_name(n.device_key) ELSE short_name(n.device_key) END AS name
FROM names n LEFT JOIN domains d ON d.short = short_name(n.device_key)
WHERE n.device_key IS NOT NULL
