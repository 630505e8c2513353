-- table: core.part_supply
-- grain: one row is a part of a system with what was ordered, shipped and received for it
-- key: system_key, part_key
-- Goods that name an order line serve that line's shares by priority; goods that name none serve the systems at their
-- site whose bill of material has the part, by priority, up to what is still needed. A receipt proves shipping.
WITH by_line AS (
    SELECT
        po_key,
        po_line_key AS line_key,
        sum(quantity) FILTER (event = 'shipped') AS shipped,
        sum(quantity) FILTER (event IN ('received', 'held')) AS arrived
    FROM core.goods WHERE po_key IS NOT NULL AND po_line_key IS NOT NULL GROUP BY ALL
),
by_line_site AS (
    SELECT po_key, po_line_key AS line_key, site_key, sum(quantity) AS received, sum(greatest(0,
        quantity - serials)) AS bulk
    FROM core.goods WHERE event = 'received' AND po_key IS NOT NULL AND po_line_key IS NOT NULL GROUP BY ALL
),
shares AS (
    SELECT
        a.system_key,
        a.part_key,
        a.quantity AS ordered,
        greatest(0, least(a.quantity, greatest(coalesce(l.shipped, 0), coalesce(l.arrived,
            0)) - a.asked_before)) AS shipped,
        greatest(0, least(a.quantity, coalesce(h.received, 0) - a.asked_before_here)) AS received,
        greatest(0, least(a.quantity, coalesce(h.bulk, 0) - a.asked_before_here)) AS bulk
    FROM core.allocations a
    LEFT JOIN by_line l ON l.po_key = a.po_key AND l.line_key = a.line_key
    LEFT JOIN by_line_site h ON h.po_key = a.po_key AND h.line_key = a.line_key AND h.site_key = a.site_key
),
from_orders AS (
    SELECT system_key, part_key, sum(ordered) AS ordered, sum(shipped) AS shipped, sum(received) AS received,
        sum(bulk) AS bulk
    FROM shares GROUP BY ALL
),
by_site AS (
    SELECT
        site_key,
        part_key,
        sum(quantity) FILTER (event = 'shipped') AS shipped,
        sum(quantity) FILTER (event = 'received') AS received,
        sum(greatest(0, quantity - serials)) FILTER (event = 'received') AS bulk
    FROM core.goods WHERE po_key IS NULL OR po_line_key IS NULL GROUP BY ALL
),
open_needs AS (
    SELECT
        n.*,
        greatest(0, n.needed - coalesce(f.received, 0)) AS open_quantity,
        sum(greatest(0, n.needed - coalesce(f.received, 0))) OVER (
            PARTITION BY n.site_key, n.part_key ORDER BY n.netting_order, n.system_key
        ) - greatest(0, n.needed - coalesce(f.received, 0)) AS open_before
    FROM core.part_needs n
    SEMI JOIN by_site s ON s.site_key = n.site_key AND s.part_key = n.part_key
    LEFT JOIN from_orders f ON f.system_key = n.system_key AND f.part_key = n.part_key
),
unnamed AS (
    SELECT
        n.system_key,
        n.part_key,
        greatest(0, least(n.open_quantity, greatest(coalesce(s.shipped, 0), coalesce(s.received, 0)) - n.open_before))
            AS shipped,
        greatest(0, least(n.open_quantity, coalesce(s.received, 0) - n.open_before)) AS received,
        greatest(0, least(n.open_quantity, coalesce(s.bulk, 0) - n.open_before)) AS bulk
    FROM open_needs n JOIN by_site s ON s.site_key = n.site_key AND s.part_key = n.part_key
)
SELECT
    n.system_key,
    n.part_key,
    coalesce(f.ordered, 0)::DECIMAL(18, 3) AS ordered,
    (coalesce(f.shipped, 0) + coalesce(u.shipped, 0))::DECIMAL(18, 3) AS shipped,
    (coalesce(f.received, 0) + coalesce(u.received, 0))::DECIMAL(18, 3) AS received,
    (coalesce(f.bulk, 0) + coalesce(u.bulk, 0))::DECIMAL(18, 3) AS bulk
FROM core.part_needs n
LEFT JOIN from_orders f ON f.system_key = n.system_key AND f.part_key = n.part_key
LEFT JOIN unnamed u ON u.system_key = n.system_key AND u.part_key = n.part_key
