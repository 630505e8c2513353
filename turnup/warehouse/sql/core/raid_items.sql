-- table: core.raid_items
-- grain: one row is an entry of the RAID log, or one that left it without having been closed
-- key: id_key
-- An entry that no accepted row has any more stays as it was told last, with the week since which it is missing. A
-- missing waiver stays in sight only: core.waivers reads the log itself. One whose row stands in the log and was refused
-- is not missing: refused says why it could not be read.
WITH listed AS (
    SELECT r.*, NULL::VARCHAR AS missing_since, NULL::VARCHAR AS file_before, NULL::BIGINT AS row_before,
        NULL::VARCHAR AS refused
    FROM stg.raid r
    QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row) = 1
),
refused AS (
    SELECT id_key, arg_min(file || ', row ' || "row" || ': ' || message, (file, "row", column_name)) AS why
    FROM (
        SELECT file, "row", coalesce(column_name, '') AS column_name, message,
            unnest(list_distinct(list_transform(json_extract_string(given, '$.*'), lambda v: lower(trim(v))))) AS id_key
        FROM meta.quarantine WHERE dataset = 'raid' AND in_force
    ) GROUP BY id_key
),
gone AS (
    SELECT
        past.* EXCLUDE (week, system_key, file, "row", missing_since),
        past.system_key AS system_id_key,
        CASE WHEN f.id_key IS NULL THEN coalesce(past.missing_since, p.week) END AS missing_since,
        past.file AS file_before,
        past."row" AS row_before,
        f.why AS refused
    FROM past_raid past
    JOIN core.settings p ON past.week = p.previous_week
    LEFT JOIN refused f ON f.id_key = past.id_key
    ANTI JOIN listed l ON l.id_key = past.id_key
    WHERE past.closed IS NULL AND past.id_key IS NOT NULL
)
SELECT * FROM listed
UNION ALL BY NAME
SELECT * FROM gone
