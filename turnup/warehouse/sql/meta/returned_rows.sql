-- table: meta.returned_rows
-- grain: one row is one row of a returned send-back that corrects a file in force, and what became of it
-- key: returned_no
SELECT
    row_number() OVER (ORDER BY source, file, sheet, "row", corrects, _ingest) AS returned_no,
    source, dataset, file, sheet, "row", corrects, of_file, of_sheet, of_row, was_refused, outcome, message,
    received_at, _ingest
FROM landed.returned_rows
ORDER BY returned_no
