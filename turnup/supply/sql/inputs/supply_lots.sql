-- table: core.supply_lots
-- grain: one row is a lot of a part that somebody needs: pieces in place, free in stock, or still to come
-- key: lot_no
-- What is installed or kitted for a block or system is its own; kitted pieces that no system is named for serve nobody.
-- told is the day as told; an arrival that is overdue can come tomorrow at the earliest. Numbers follow the names.
WITH installed AS (
    SELECT
        a.system_id_key AS system_key, b.block_id, a.part_number_key AS part_key, count(*) AS quantity,
        arg_min_null(a._ingest, (a._ingest, a._row)) AS _ingest, arg_min_null(a._row, (a._ingest, a._row)) AS _row,
        arg_min_null(a._sheet, (a._ingest, a._row)) AS _sheet
    FROM core.assets a
    CROSS JOIN core.settings p
    LEFT JOIN core.block_needs b ON b.system_key = a.system_id_key AND b.block_key = a.block_key
    WHERE a.located AND a.racked <= p.as_of AND a.status NOT IN ('planned', 'inventory', 'decommissioning')
      AND coalesce(a.purpose, 'production') = 'production'
    GROUP BY ALL
),
systems AS (SELECT system_key, min(system_no) AS system_no FROM core.block_needs GROUP BY system_key),
sites AS (SELECT site_key, min(site_no) AS site_no FROM core.block_needs GROUP BY site_key),
everything AS (
    SELECT
        1_000_000_000_000_000 + coalesce(i.block_id, 500_000_000 + y.system_no) * 1_000_000 + n.part_no AS lot_no,
        'installed' AS kind, CASE WHEN i.block_id IS NULL THEN 'system' ELSE 'block' END AS scope,
        coalesce(i.block_id, y.system_no) AS holder_no, i.system_key, NULL AS site_key, i.part_key,
        i.quantity::DECIMAL(18, 3) AS quantity, NULL::DATE AS told, 'installed' AS name, NULL AS vendor, NULL AS po_key,
        NULL AS po_line_key, 'installs' AS dataset, i._ingest, i._row, i._sheet
    FROM installed i
    JOIN systems y ON y.system_key = i.system_key
    JOIN core.netted_parts n ON n.part_key = i.part_key
    UNION ALL
    SELECT
        2_000_000_000_000_000 + row_number() OVER (ORDER BY c.source, c.site_key, c.part_key, c.lot_key),
        'kitted', CASE WHEN b.block_id IS NULL THEN 'system' ELSE 'block' END, coalesce(b.block_id, y.system_no),
        c.system_key, c.site_key, c.part_key, c.kitted, NULL,
        'kitted in lot ' || c.lot || ', counted on ' || c.counted_on, NULL, NULL, NULL, 'inventory',
        c._ingest, c._row, c._sheet
    FROM core.stock_counts c
    JOIN systems y ON y.system_key = c.system_key
    LEFT JOIN core.block_needs b ON b.system_key = c.system_key AND b.block_key = c.block_key
    WHERE c.kitted > 0
    UNION ALL
    SELECT
        3_000_000_000_000_000 + l.level_no, 'used', 'used', t.site_no, NULL, l.site_key, l.part_key, l.gone, NULL,
        'received and no longer counted on ' || l.counted_on, NULL, NULL, NULL, 'inventory', NULL, NULL, NULL
    FROM core.stock_levels l LEFT JOIN sites t ON t.site_key = l.site_key
    WHERE l.gone > 0
    UNION ALL
    SELECT
        4_000_000_000_000_000 + v.level_no * 10_000_000 + l.place, l.kind, l.kind, t.site_no, NULL, l.site_key,
        l.part_key, l.quantity, l.day, l.name, NULL, l.po_key, l.po_line_key, l.dataset, l._ingest, l._row, l._sheet
    FROM core.stock_lots l
    JOIN core.stock_levels v ON v.site_key = l.site_key AND v.part_key = l.part_key
    LEFT JOIN sites t ON t.site_key = l.site_key
    UNION ALL
    SELECT
        5_000_000_000_000_000 + row_number() OVER (ORDER BY l.lot_key, s.scope, s.holder), l.kind, s.scope,
        CASE s.scope WHEN 'for_system' THEN y.system_no WHEN 'for_site' THEN t.site_no ELSE 0 END,
        y.system_key, l.site_key, l.part_key, s.quantity, l.told, l.name, l.vendor, l.po_key, l.po_line_key,
        l.dataset, l._ingest, l._row, l._sheet
    FROM core.inbound_lots l
    JOIN core.inbound_shares s ON s.lot_key = l.lot_key
    LEFT JOIN systems y ON y.system_key = CASE s.scope WHEN 'for_system' THEN s.holder END
    LEFT JOIN sites t ON t.site_key = CASE s.scope WHEN 'for_site' THEN s.holder END
)
SELECT
    e.*,
    e.scope IN ('for_system', 'for_site', 'for_any') AS inbound,
    CASE WHEN e.scope NOT IN ('for_system', 'for_site', 'for_any') THEN p.as_of
        WHEN e.told IS NOT NULL THEN greatest(e.told, p.as_of + 1) END AS available,
    n.part_no
FROM everything e
CROSS JOIN core.settings p
JOIN core.netted_parts n ON n.part_key = e.part_key
WHERE e.quantity > 0
