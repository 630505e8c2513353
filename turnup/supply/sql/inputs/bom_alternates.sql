-- table: core.bom_alternates
-- grain: one row is a part that is approved instead of that of a line, in the order of the line's list
-- key: system_key, line_key, part_key
WITH listed AS (
    SELECT system_key, line_key, part_key AS own, regexp_split_to_array(alternates, '[;,|\n]') AS parts
    FROM core.bom_lines WHERE alternates IS NOT NULL
),
apart AS (
    SELECT
        system_key, line_key, own, unnest(range(1, len(parts) + 1)) AS place,
        lower(trim(regexp_replace(nfc_normalize(unnest(parts)), '\s+', ' ', 'g'))) AS part_key
    FROM listed
)
SELECT system_key, line_key, part_key, min(place)::INTEGER AS place
FROM apart WHERE part_key <> '' AND part_key <> own GROUP BY system_key, line_key, part_key
