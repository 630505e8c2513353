-- table: meta.quarantine
-- grain: one row is one fault of one row of a delivered file; rows no longer in force, or closed, stay visible
-- key: quarantine_no
-- A fault counts (in_force) while its file does and the row is open. A row that was sent back and came back faulty
-- again is open once, in its own file; its faults in the returned one are an attempt.
WITH settled AS (
    SELECT DISTINCT source, corrects AS sha256, of_sheet, of_row, outcome, file
    FROM landed.returned_rows
    WHERE outcome IN ('corrected', 'withdrawn')
),
attempts AS (SELECT DISTINCT source, _ingest, _batch, sheet, "row" FROM landed.returned_rows),
faults AS (
    SELECT
        d.source, d.dataset, d.path AS file, q._ingest, q.row, q.sheet, q.column_name, q.value, q.rule, q.expected,
        q.message, q.given, d.owner, d.in_force, d.in_window,
        CASE WHEN a._ingest IS NOT NULL THEN 'attempt' ELSE coalesce(s.outcome, 'open') END AS state,
        s.file AS closed_by
    FROM landed.deliveries AS d
    JOIN landed._quarantine AS q USING (_ingest, _batch)
    LEFT JOIN settled AS s
        ON s.source = d.source AND s.sha256 = d.sha256 AND s.of_sheet IS NOT DISTINCT FROM q.sheet AND s.of_row = q.row
    LEFT JOIN attempts AS a
        ON a.source = d.source AND a._ingest = q._ingest AND a._batch = q._batch AND a.sheet = q.sheet
            AND a."row" = q.row
    UNION ALL
    SELECT
        d.source, d.dataset, d.path, r._ingest, r."row", r.sheet, NULL, r."key", 'key_conflict', 'a key of its own',
        r.message, NULL, d.owner, d.in_force, d.in_window, 'attempt', NULL
    FROM landed.returned_rows AS r
    JOIN landed.deliveries AS d USING (source, _ingest, _batch)
    WHERE r.outcome = 'repeats'
),
counted AS (
    SELECT
        * EXCLUDE (in_force, in_window),
        bool_or(in_force AND state = 'open') AS in_force, bool_or(in_window) AS in_window
    FROM faults
    GROUP BY ALL
)
SELECT row_number() OVER (ORDER BY file, source, sheet, row, column_name, rule, value, _ingest) AS quarantine_no, *
FROM counted
ORDER BY quarantine_no
