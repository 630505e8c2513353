-- table: core.stock_lots
-- grain: one row is a counted lot or a receipt line of which something is free at a site
-- key: lot_key
-- Assets whose serial number a receipt has came from it; the others came from the oldest goods, and of a counted part
-- only those taken after the count. Receipts up to the day of a count are in it. place: the order of the lots of a part at
-- its site.
WITH known AS (
    SELECT
        concat_ws('/', 'count', source, site_key, part_key, lot_key) AS lot_key, 'count' AS kind, site_key, part_key,
        free AS quantity, counted_on AS day, NULL AS goods_key, NULL AS po_key, NULL AS po_line_key,
        'count of lot ' || lot || ' on ' || counted_on AS name, 'inventory' AS dataset, _ingest, _row, _sheet
    FROM core.stock_counts
    UNION ALL
    SELECT
        concat_ws('/', 'receipt', g.goods_key), 'receipt', g.site_key, g.part_key, g.quantity, g.moved, g.goods_key,
        g.po_key, g.po_line_key, 'receipt ' || g.goods_id || ' of ' || g.moved, 'receipts', g._ingest, g._row, g._sheet
    FROM core.goods g
    JOIN core.stock_levels l ON l.site_key = g.site_key AND l.part_key = g.part_key
    WHERE g.event = 'received' AND (l.counted_on IS NULL OR g.moved > l.counted_on)
),
by_serial AS (SELECT goods_key, count(*) AS taken FROM core.stock_users WHERE goods_key IS NOT NULL GROUP BY goods_key),
rest AS (
    SELECT
        k.* EXCLUDE (quantity),
        greatest(0, k.quantity - coalesce(b.taken, 0)) AS quantity,
        least(k.quantity, coalesce(b.taken, 0)) AS matched
    FROM known k LEFT JOIN by_serial b ON b.goods_key = k.goods_key
),
users AS (
    SELECT u.site_key, u.part_key, count(*) AS taken
    FROM core.stock_users u
    LEFT JOIN core.stock_levels l ON l.site_key = u.site_key AND l.part_key = u.part_key
    WHERE l.counted_on IS NULL OR u.since > l.counted_on GROUP BY ALL
),
queued AS (
    SELECT
        r.*,
        greatest(0, coalesce(u.taken, 0) - sum(r.matched) OVER (PARTITION BY r.site_key, r.part_key)) AS taken,
        sum(r.quantity) OVER turn AS upto,
        row_number() OVER turn AS place
    FROM rest r LEFT JOIN users u ON u.site_key = r.site_key AND u.part_key = r.part_key
    WINDOW turn AS (PARTITION BY r.site_key, r.part_key ORDER BY r.kind, r.day, r.lot_key)
)
SELECT
    lot_key, kind, site_key, part_key, greatest(0, least(quantity, upto - taken))::DECIMAL(18, 3) AS quantity, day, name,
    po_key, po_line_key, dataset, _ingest, _row, _sheet, place
FROM queued WHERE upto > taken AND quantity > 0
