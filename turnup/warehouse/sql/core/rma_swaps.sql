-- table: core.rma_swaps
-- grain: one row is a replacement of one serial number by another, with its place in the chain of replacements
-- key: serial_key, replaced_serial_key
-- A chain starts at a serial number that replaced nothing, or several: which of those it goes on from nobody knows.
-- Replacements that go round in a circle have no start: each of them stands alone as a loop. Two that each replace the
-- other are one whatever else is told of them. path names the chain up to here.
WITH RECURSIVE swaps AS (
    SELECT
        f.serial_key, f.replaced_serial_key, min(f.serial) AS serial, min(f.replaced_serial) AS replaced_serial,
        min(coalesce(f.closed, f.opened)) AS swapped_on, min(f.opened) AS opened,
        arg_min(f.failure_id, (f.opened, f.failure_id)) AS failure_id,
        string_agg(DISTINCT lower(trim(f.kind)), ', ' ORDER BY lower(trim(f.kind))) AS kinds,
        arg_min(f.system_id_key, (f.opened, f.failure_id)) AS system_key,
        arg_min_null(f._ingest, (f._ingest, f._row)) AS _ingest, arg_min_null(f._row, (f._ingest, f._row)) AS _row,
        arg_min_null(f._sheet, (f._ingest, f._row)) AS _sheet
    FROM stg.failures f CROSS JOIN core.settings p
    WHERE f.serial_key IS NOT NULL AND f.replaced_serial_key IS NOT NULL AND f.replaced_serial_key <> f.serial_key
        AND f.opened <= p.as_of
    GROUP BY f.serial_key, f.replaced_serial_key
),
told_once AS (SELECT replaced_serial_key FROM swaps GROUP BY replaced_serial_key HAVING count(*) = 1),
walk AS (
    SELECT s.serial_key AS root_key, s.serial_key, s.replaced_serial_key, 1 AS step_no,
        s.serial || ' -> ' || s.replaced_serial AS path
    FROM swaps s ANTI JOIN told_once o ON o.replaced_serial_key = s.serial_key
    UNION ALL
    SELECT w.root_key, s.serial_key, s.replaced_serial_key, w.step_no + 1, w.path || ' -> ' || s.replaced_serial
    FROM walk w
    SEMI JOIN told_once o ON o.replaced_serial_key = w.replaced_serial_key
    JOIN swaps s ON s.serial_key = w.replaced_serial_key
    WHERE s.replaced_serial_key <> w.root_key
)
SELECT
    s.*,
    coalesce(w.root_key, s.serial_key) AS root_key,
    coalesce(w.step_no, 1)::INTEGER AS step_no,
    coalesce(w.path, s.serial || ' -> ' || s.replaced_serial) AS path,
    w.root_key IS NULL OR r.serial_key IS NOT NULL AS is_loop,
    r.failure_id AS back_by,
    s.replaced_serial_key NOT IN (SELECT serial_key FROM swaps) AS is_last,
    count(*) OVER (PARTITION BY s.serial_key) > 1 AS old_replaced_twice,
    count(*) OVER (PARTITION BY s.replaced_serial_key) > 1 AS new_used_twice
FROM swaps s
LEFT JOIN swaps r ON r.serial_key = s.replaced_serial_key AND r.replaced_serial_key = s.serial_key
LEFT JOIN walk w ON w.serial_key = s.serial_key AND w.replaced_serial_key = s.replaced_serial_key
