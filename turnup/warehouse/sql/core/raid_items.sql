-- table: core.raid_items
-- grain: one row is an entry of the RAID log, or one that left it without having been closed
-- key: id_key
-- An entry that no accepted row has any more stays as it was told last, with the week since which it is missing. A
-- missing waiver stays in sight only: core.waivers reads the log itself.
WITH listed AS (
    SELECT r.*, NULL::VARCHAR AS missing_since, NULL::VARCHAR AS file_before, NULL::BIGINT AS row_before
    FROM stg.raid r
    QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row) = 1
),
gone AS (
    SELECT
        past.* EXCLUDE (week, system_key, file, "row", missing_since),
        past.system_key AS system_id_key,
        coalesce(past.missing_since, p.week) AS missing_since,
        past.file AS file_before,
        past."row" AS row_before
    FROM past_raid past
    JOIN core.settings p ON past.week = p.previous_week
    ANTI JOIN listed l ON l.id_key = past.id_key
    WHERE past.closed IS NULL AND past.id_key IS NOT NULL
)
SELECT * FROM listed
UNION ALL BY NAME
SELECT * FROM gone
