-- table: core.supply_lots
-- grain: one row is a lot that may serve demand: pieces in place, free in stock, or still to come
-- key: lot_no
-- What is installed or kitted for a block or system is its own; kitted pieces that no system is named for serve nobody.
-- told is the day as told; an arrival that is overdue can come tomorrow at the earliest.
WITH blocks AS (SELECT system_key, block_key FROM core.block_sizes),
installed AS (
    SELECT
        a.system_id_key AS system_key, b.block_key, a.part_number_key AS part_key, count(*) AS quantity,
        arg_min_null(a._ingest, (a._ingest, a._row)) AS _ingest, arg_min_null(a._row, (a._ingest, a._row)) AS _row,
        arg_min_null(a._sheet, (a._ingest, a._row)) AS _sheet
    FROM core.assets a
    CROSS JOIN core.settings p
    JOIN core.systems s ON s.system_key = a.system_id_key
    LEFT JOIN blocks b ON b.system_key = a.system_id_key AND b.block_key = a.block_key
    WHERE a.located AND a.racked <= p.as_of AND a.status NOT IN ('planned', 'inventory', 'decommissioning')
      AND coalesce(a.purpose, 'production') = 'production'
    GROUP BY ALL
),
kitted AS (
    SELECT c.*, b.block_key AS for_block
    FROM core.stock_counts c
    LEFT JOIN blocks b ON b.system_key = c.system_key AND b.block_key = c.block_key
    WHERE c.kitted > 0 AND c.system_key IS NOT NULL
),
everything AS (
    SELECT
        concat_ws('/', 'installed', system_key, block_key, part_key) AS lot_key, 'installed' AS kind,
        CASE WHEN block_key IS NULL THEN 'system' ELSE 'block' END AS scope,
        CASE WHEN block_key IS NULL THEN system_key ELSE system_key || chr(31) || block_key END AS holder,
        system_key, NULL AS site_key, part_key, quantity::DECIMAL(18, 3) AS quantity, NULL::DATE AS told,
        'installed' AS name, NULL AS vendor, NULL AS po_key, NULL AS po_line_key, 'installs' AS dataset,
        _ingest, _row, _sheet
    FROM installed
    UNION ALL
    SELECT
        concat_ws('/', 'kitted', source, site_key, part_key, lot_key), 'kitted',
        CASE WHEN for_block IS NULL THEN 'system' ELSE 'block' END,
        CASE WHEN for_block IS NULL THEN system_key ELSE system_key || chr(31) || for_block END,
        system_key, site_key, part_key, kitted, NULL, 'kitted in lot ' || lot || ', counted on ' || counted_on, NULL,
        NULL, NULL, 'inventory', _ingest, _row, _sheet
    FROM kitted
    UNION ALL
    SELECT
        concat_ws('/', 'used', site_key, part_key), 'used', 'used', site_key, NULL, site_key, part_key, gone, NULL,
        'received and no longer counted on ' || counted_on, NULL, NULL, NULL, 'inventory', NULL, NULL, NULL
    FROM core.stock_levels WHERE gone > 0
    UNION ALL
    SELECT
        lot_key, kind, kind, site_key, NULL, site_key, part_key, quantity, day, name, NULL, po_key, po_line_key, dataset,
        _ingest, _row, _sheet
    FROM core.stock_lots
    UNION ALL
    SELECT
        l.lot_key || '/' || s.holder, l.kind, s.scope, s.holder, CASE WHEN s.scope = 'for_system' THEN s.holder END,
        l.site_key, l.part_key, s.quantity, l.told, l.name, l.vendor, l.po_key, l.po_line_key, l.dataset,
        l._ingest, l._row, l._sheet
    FROM core.inbound_lots l JOIN core.inbound_shares s ON s.lot_key = l.lot_key
)
SELECT
    row_number() OVER (ORDER BY e.lot_key, e.scope, e.holder) AS lot_no,
    e.* EXCLUDE (lot_key, holder),
    e.scope IN ('for_system', 'for_site', 'for_any') AS inbound,
    CASE WHEN e.scope NOT IN ('for_system', 'for_site', 'for_any') THEN p.as_of
        WHEN e.told IS NOT NULL THEN greatest(e.told, p.as_of + 1) END AS available,
    n.part_no,
    CASE
        WHEN e.scope = 'for_any' THEN 0
        WHEN e.scope = 'block' THEN b.block_id
        WHEN e.scope IN ('system', 'for_system') THEN y.system_no
        ELSE t.site_no
    END AS holder_no
FROM everything e
CROSS JOIN core.settings p
LEFT JOIN core.netted_parts n ON n.part_key = e.part_key
LEFT JOIN (SELECT system_key || chr(31) || block_key AS holder, block_id FROM core.block_needs) b ON b.holder = e.holder
LEFT JOIN (SELECT system_key, min(system_no) AS system_no FROM core.block_needs GROUP BY ALL) y ON y.system_key = e.holder
LEFT JOIN (SELECT site_key, min(site_no) AS site_no FROM core.block_needs GROUP BY ALL) t ON t.site_key = e.holder
WHERE e.quantity > 0 AND e.part_key IS NOT NULL
