-- table: core.inbound_shares
-- grain: one row is the part of a quantity that still comes which is for one system, or for whoever needs it
-- key: lot_key, scope, holder
-- What still comes on an order line goes to its shares by priority, the earliest first to the first; what a share has
-- received at its site is no longer open. A share of a system without a bill of material is a pool for its site. What no
-- share asks for is for whoever needs it, at the site it is sent to where that is known.
WITH here AS (
    SELECT po_key, po_line_key AS line_key, site_key, sum(quantity) AS received
    FROM core.goods WHERE event = 'received' AND po_key IS NOT NULL AND po_line_key IS NOT NULL GROUP BY ALL
),
billed AS (SELECT DISTINCT system_key FROM core.bom_lines WHERE fitted),
shares AS (
    SELECT
        a.po_key, a.line_key, a.system_key, a.site_key, a.netting_order,
        a.quantity - greatest(0, least(a.quantity, coalesce(h.received, 0) - a.asked_before_here)) AS open_quantity
    FROM core.allocations a
    LEFT JOIN here h ON h.po_key = a.po_key AND h.line_key = a.line_key AND h.site_key = a.site_key
),
spans AS (
    SELECT
        s.*, b.system_key IS NOT NULL AS has_bill,
        sum(s.open_quantity) OVER (
            PARTITION BY s.po_key, s.line_key ORDER BY s.netting_order, s.system_key
        ) AS upto
    FROM shares s LEFT JOIN billed b ON b.system_key = s.system_key
    WHERE s.open_quantity > 0
),
lots AS (
    SELECT
        l.*,
        sum(l.quantity) OVER (
            PARTITION BY l.po_key, l.po_line_key ORDER BY l.told NULLS LAST, l.kind DESC, l.lot_key
        ) AS upto
    FROM core.inbound_lots l
),
shared AS (
    SELECT
        l.lot_key, s.system_key, s.site_key, s.has_bill,
        least(l.upto, s.upto) - greatest(l.upto - l.quantity, s.upto - s.open_quantity) AS taken
    FROM lots l
    JOIN spans s ON s.po_key = l.po_key AND s.line_key = l.po_line_key
        AND s.upto > l.upto - l.quantity AND s.upto - s.open_quantity < l.upto
),
given AS (SELECT lot_key, sum(taken) AS taken FROM shared GROUP BY lot_key),
spread AS (
    SELECT
        lot_key, CASE WHEN has_bill THEN 'for_system' ELSE 'for_site' END AS scope,
        CASE WHEN has_bill THEN system_key ELSE site_key END AS holder, taken
    FROM shared
    UNION ALL
    SELECT
        l.lot_key, CASE WHEN l.site_key IS NULL THEN 'for_any' ELSE 'for_site' END, coalesce(l.site_key, ''),
        l.quantity - coalesce(g.taken, 0)
    FROM core.inbound_lots l LEFT JOIN given g ON g.lot_key = l.lot_key
    WHERE l.quantity > coalesce(g.taken, 0)
)
SELECT lot_key, scope, holder, sum(taken)::DECIMAL(18, 3) AS quantity FROM spread GROUP BY lot_key, scope, holder
