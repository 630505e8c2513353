-- table: core.bom_changes
-- grain: one row is a part of a system's bill of material in a source's newest delivery, in the one before, or in both
-- key: source, system_key, part_key
-- Parts compare by part number, lines of one part are summed; a line without one compares by its name in the design,
-- which stands in for it.
WITH now AS (
    SELECT
        i.source, b.system_id_key AS system_key, b.part_number_key AS part_key, min(b.part_number) AS part_number,
        sum(b.quantity) AS quantity, count(*) AS lines, count(*) FILTER (NOT coalesce(b.fitted, true)) AS not_fitted,
        arg_min_null(b._ingest, (b._ingest, b._row)) AS _ingest, arg_min_null(b._row, (b._ingest, b._row)) AS _row,
        arg_min_null(b._sheet, (b._ingest, b._row)) AS _sheet
    FROM stg.bom b JOIN meta.ingests i ON i._ingest = b._ingest
    GROUP BY ALL
),
before AS (
    SELECT
        b._source AS source, b.system_id_key AS system_key, b.part_number_key AS part_key,
        min(b.part_number) AS part_number, sum(b.quantity) AS quantity, count(*) AS lines,
        count(*) FILTER (NOT coalesce(b.fitted, true)) AS not_fitted,
        any_value(b._ingest) AS _ingest
    FROM stg.bom_before b
    GROUP BY ALL
)
SELECT
    coalesce(n.source, b.source) AS source,
    coalesce(n.system_key, b.system_key) AS system_key,
    coalesce(n.part_key, b.part_key) AS part_key,
    coalesce(n.part_number, b.part_number) AS part_number,
    CASE WHEN b.part_key IS NULL THEN 'added' WHEN n.part_key IS NULL THEN 'removed' ELSE 'kept' END AS change,
    coalesce(b.quantity, 0)::DECIMAL(18, 3) AS quantity_before,
    coalesce(n.quantity, 0)::DECIMAL(18, 3) AS quantity_now,
    coalesce(b.lines, 0) AS lines_before,
    coalesce(n.lines, 0) AS lines_now,
    coalesce(b.not_fitted, 0) AS not_fitted_before,
    coalesce(n.not_fitted, 0) AS not_fitted_now,
    b._ingest AS _ingest_before,
    n._ingest, n._row, n._sheet
FROM now n
FULL JOIN before b ON b.source = n.source AND b.system_key = n.system_key AND b.part_key = n.part_key
WHERE coalesce(n.source, b.source) IN (SELECT source FROM before)
