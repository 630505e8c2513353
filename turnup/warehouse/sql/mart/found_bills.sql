-- table: core.found_bills
-- grain: one row is a fault in a bill of material, or between it and another plan
-- key: code, item
-- bom_revised stands in the week in which the newest delivery came. Optics are compared where the bill and the plan both
-- tell servers and switches apart; elsewhere a cable may end at a panel, which needs none.
WITH revised AS (
    SELECT
        source, system_key,
        count(*) FILTER (change = 'added') AS added,
        count(*) FILTER (change = 'removed') AS removed,
        count(*) FILTER (change = 'kept') AS kept,
        count(*) FILTER (change = 'kept' AND quantity_before <> quantity_now) AS resized,
        sum(not_fitted_before) AS not_fitted_before,
        sum(not_fitted_now) AS not_fitted_now
    FROM core.bom_changes GROUP BY ALL
),
sources AS (
    SELECT c.source, min(c._ingest) AS _ingest, any_value(b._replaced_at) AS replaced_at
    FROM core.bom_changes c JOIN (SELECT DISTINCT _source, _replaced_at FROM stg.bom_before) b ON b._source = c.source
    GROUP BY c.source
)
SELECT
    'bom_loop' AS code, 'error' AS severity, 'bom' AS dataset, system_key, part_number AS subject,
    system_key || '/' || line_key AS item, _ingest, _row, _sheet,
    'line ' || line || ': ' || part_number || ' is a component of itself over its parent lines; only its own quantity '
        || 'is counted' AS message
FROM core.bom_lines WHERE looped
UNION ALL
SELECT
    'extended_mismatch', 'error', 'bom', system_key, part_number, system_key || '/' || line_key, _ingest, _row, _sheet,
    'line ' || line || ': ' || figure(extended_quantity) || ' of ' || part_number || ' are stated for the whole, '
        || figure(quantity) || ' multiplied through its parent lines are ' || figure(needed)
FROM core.bom_lines WHERE extended_quantity <> needed AND NOT looped
UNION ALL
SELECT
    'revision_out_of_date', 'warning', 'bom', system_key, part_number, system_key || '/' || line_key,
    _ingest, _row, _sheet,
    'line ' || line || ': ' || part_number || ' is held in a revision that is out of date'
        || coalesce(' (' || revision || ')', '')
FROM core.bom_risks WHERE outdated
UNION ALL
SELECT
    'part_at_end_of_life', 'warning', 'bom', system_key, part_number, system_key || '/' || line_key,
    _ingest, _row, _sheet, 'line ' || line || ': ' || part_number || ' is ' || lifecycle
FROM core.bom_risks WHERE ending
UNION ALL
SELECT
    'bill_mismatch', 'warning', c.dataset, c.system_key, c.item, c.system_key || '/' || c.check_name || '/' || c.item,
    c._ingest, c._row, c._sheet,
    CASE c.check_name WHEN 'optics' THEN 'optics at the ' || c.item || ' ends' ELSE c.item END || ': '
        || figure(c.in_bill) || ' in the bill of material, ' || figure(c.elsewhere) || ' ' || c.beside
FROM core.bill_checks c
WHERE CASE c.check_name WHEN 'optics' THEN c.item <> 'any' AND c.in_bill <> c.elsewhere ELSE c.elsewhere > c.in_bill END
UNION ALL
SELECT
    'bom_revised', 'info', 'bom', r.system_key, coalesce(s.system_id, r.system_key), r.source || '/' || r.system_key,
    n._ingest, NULL, NULL,
    'the newest bill of ' || r.source || ' has ' || r.added || ' parts more, ' || r.removed || ' parts less and '
        || r.kept || ' kept (' || r.resized || ' in another quantity); not fitted: ' || r.not_fitted_before
        || ' lines before, ' || r.not_fitted_now || ' now'
FROM revised r
JOIN sources n ON n.source = r.source
LEFT JOIN core.systems s ON s.system_key = r.system_key
CROSS JOIN meta.week w
WHERE n.replaced_at >= w.window_start AND (r.added > 0 OR r.removed > 0 OR r.resized > 0)
