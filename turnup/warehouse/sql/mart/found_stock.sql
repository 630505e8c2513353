-- table: core.found_stock
-- grain: one row is a part whose count at a site is not what its movements make
-- key: code, item
-- The count stands. Pieces that went into built units are no difference, and quarantined ones may be counted or not.
WITH used AS (
    SELECT l.site_key, l.part_key, sum(a.quantity) AS quantity
    FROM core.netted a JOIN core.supply_lots l ON l.lot_no = a.lot_no
    WHERE l.kind = 'used' GROUP BY ALL
),
compared AS (
    SELECT
        l.*, l.free + l.kitted AS counted, l.moves - coalesce(u.quantity, 0) AS computed, coalesce(u.quantity, 0) AS used
    FROM core.stock_levels l
    LEFT JOIN used u ON u.site_key = l.site_key AND u.part_key = l.part_key
    WHERE l.counted_on IS NOT NULL AND EXISTS (SELECT 1 FROM stg.receipts)
),
counts AS (
    SELECT
        site_key, part_key, min(site_id) AS site_id, min(part_number) AS part_number,
        arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.stock_counts GROUP BY ALL
)
SELECT
    'count_differs' AS code, 'warning' AS severity, 'inventory' AS dataset, NULL AS system_key,
    n.part_number AS subject, l.site_key || '/' || l.part_key AS item, n._ingest, n._row, n._sheet,
    n.site_id || ': ' || figure(l.counted) || ' of ' || n.part_number || ' counted on ' || l.counted_on || ' ('
        || figure(l.free) || ' free, ' || figure(l.kitted) || ' kitted); ' || figure(l.received) || ' received in good state less '
        || figure(l.taken + l.used) || ' installed make ' || figure(l.computed) || '; the count stands' AS message
FROM compared l
JOIN counts n ON n.site_key = l.site_key AND n.part_key = l.part_key
WHERE l.computed < l.counted OR l.computed > l.counted + l.quarantine
