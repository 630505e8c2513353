-- table: core.link_places_walked
-- grain: one row is a device that cables name, with the place where a technician finds it
-- key: name
-- The register's place counts, else its planned one, else the cable plan's. Halls and rows are read from a rack's name:
-- DH1-A03-12 is rack 12 of row A03 in hall DH1, A03-12 of row A03. as_walked sorts A2 before A10.
WITH named AS (
    SELECT DISTINCT a_name AS name, a_device_key AS device_key, a_device AS device FROM core.link_ends
    UNION SELECT DISTINCT b_name, b_device_key, b_device FROM core.link_ends
),
registered AS (
    SELECT
        short_name(name_key) AS short, site_id, coalesce(rack, planned_rack) AS rack,
        coalesce("position", planned_position) AS "position"
    FROM core.devices WHERE name_key IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY short_name(name_key) ORDER BY rack IS NULL, asset_key) = 1
),
plans AS (
    SELECT device_key, min(rack) AS rack, min("position") AS "position"
    FROM core.link_places GROUP BY device_key
),
systems AS (
    SELECT l.name, min(s.site_id) AS site_id FROM (
        SELECT a_name AS name, system_id_key FROM core.link_ends UNION SELECT b_name, system_id_key FROM core.link_ends
    ) l JOIN core.systems s ON s.system_key = l.system_id_key GROUP BY ALL
)
SELECT
    n.name,
    min(n.device) AS device,
    coalesce(any_value(r.site_id), any_value(y.site_id)) AS site_id,
    coalesce(any_value(r.rack), min(p.rack)) AS rack,
    coalesce(any_value(r."position"), min(p."position")) AS "position",
    string_split_regex(trim(coalesce(any_value(r.rack), min(p.rack))), '[-_./ ]+') AS parts,
    CASE WHEN len(parts) >= 3 THEN parts[-3] END AS hall,
    CASE WHEN len(parts) >= 2 THEN parts[-2] END AS "row",
    try_cast(nullif(regexp_extract(coalesce(any_value(r."position"), min(p."position")), '\d+'), '') AS INTEGER)
        AS height
FROM named n
LEFT JOIN registered r ON r.short = short_name(n.name)
LEFT JOIN plans p ON p.device_key = n.device_key
LEFT JOIN systems y ON y.name = n.name
GROUP BY n.name
