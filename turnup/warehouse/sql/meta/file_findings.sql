-- table: meta.file_findings
-- grain: one row is one remark on a delivered file, made when it was read
-- key: finding_no
WITH remarks AS (
    SELECT
        d.source, d.dataset, d.path AS file, f.code, f.severity, f.row, f.column_name, f.value, f.message,
        f.sheet, f.given, d._ingest,
        bool_or(d.in_force) AS in_force, bool_or(d.in_window) AS in_window
    FROM landed.deliveries AS d
    JOIN landed._findings AS f USING (_ingest, _batch)
    GROUP BY ALL
    UNION ALL
    SELECT
        NULL, NULL, file, 'unclaimed_file', 'warning', NULL, NULL, NULL,
        'no source in programme.yaml takes this file; add one whose files pattern fits its name', NULL, NULL, NULL,
        false, true
    FROM landed.unclaimed
)
SELECT row_number() OVER (ORDER BY file, source, code, row, column_name, value, message) AS finding_no, *
FROM remarks
ORDER BY finding_no
