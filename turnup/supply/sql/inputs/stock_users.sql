-- table: core.stock_users
-- grain: one row is an asset that was taken from the stock of its site
-- key: asset_key
-- Installed pieces (those replaced since too), and spares, loans and evaluation units wherever they lie: none of them is free. A component that came
-- within another asset was never in stock: nobody ordered its part for its system, and no receipt has its serial number.
WITH placed AS (
    SELECT
        a.asset_key, a.serial_key, a.part_number_key AS part_key, a.system_id_key AS system_key, a.block_key,
        coalesce(a.site_id_key, s.site_key) AS site_key,
        coalesce(a.purpose, 'production') AS purpose,
        a.racked <= p.as_of AND a.status NOT IN ('planned', 'inventory') AS installed,
        coalesce(a.racked, DATE '0001-01-01') AS since,
        a.located AS here,
        a.parent_serial_key IS NOT NULL OR a.parent_asset_key IS NOT NULL AS within
    FROM core.assets a
    CROSS JOIN core.settings p
    LEFT JOIN core.systems s ON s.system_key = a.system_id_key
    LEFT JOIN core.serial_places x ON x.asset_key = a.asset_key
    WHERE a.located OR x.replaced_on IS NOT NULL
),
receipts AS (
    SELECT r.serial_key, r.part_key, r.site_key, min(r.receipt_key || chr(31) || r.line_key) AS goods_key
    FROM core.receipt_serials r CROSS JOIN core.settings p
    WHERE r.place = 'site' AND r.received <= p.as_of GROUP BY ALL
),
ordered AS (SELECT DISTINCT system_key, part_key FROM core.allocations),
shared AS (
    SELECT l.part_key FROM core.purchase_lines l
    LEFT JOIN (SELECT po_key, line_key, sum(asked) AS asked FROM core.allocations GROUP BY ALL) a
        ON a.po_key = l.po_key AND a.line_key = l.line_key
    GROUP BY l.part_key HAVING bool_or(l.quantity > coalesce(a.asked, 0))
)
SELECT
    a.asset_key, a.part_key, a.site_key, a.system_key, a.block_key, a.purpose, coalesce(a.installed, false) AS installed,
    a.since, a.here, r.goods_key
FROM placed a
LEFT JOIN receipts r ON r.serial_key = a.serial_key AND r.part_key = a.part_key AND r.site_key = a.site_key
LEFT JOIN ordered o ON o.system_key = a.system_key AND o.part_key = a.part_key
LEFT JOIN shared h ON h.part_key = a.part_key
WHERE (a.installed OR a.purpose <> 'production')
  AND NOT (
      a.within AND r.goods_key IS NULL AND EXISTS (SELECT 1 FROM core.purchase_lines)
      AND o.part_key IS NULL AND h.part_key IS NULL
  )
