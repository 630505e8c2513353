-- table: meta.quarantine
-- grain: one row is one fault of one row of a delivered file; rows of files no longer in force stay visible
-- key: quarantine_no
WITH faults AS (
    SELECT
        d.source, d.dataset, d.path AS file, q._ingest, q.row, q.sheet, q.column_name, q.value, q.rule, q.expected,
        q.message, q.given, d.owner, bool_or(d.in_force) AS in_force, bool_or(d.in_window) AS in_window
    FROM landed.deliveries AS d
    JOIN landed._quarantine AS q USING (_ingest, _batch)
    GROUP BY ALL
)
SELECT row_number() OVER (ORDER BY file, source, sheet, row, column_name, rule, value, _ingest) AS quarantine_no, *
FROM faults
ORDER BY quarantine_no
