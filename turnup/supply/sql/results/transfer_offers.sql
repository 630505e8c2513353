-- table: core.transfer_offers
-- grain: one row is a quantity that only a decision can give to somebody who lacks it
-- key: offer_no
-- rank, least harm first: 1 free stock nobody needs at its site, 2 goods to come nobody needs, 3 kitted pieces nobody is
-- named for or needs, 4 spares, loans and evaluation units, then what a system of a lower priority has: 5 stock at
-- another site, 6 goods to come, 7 kitted, 8 installed. holder_priority is empty where nobody goes short by it.
WITH parts AS (
    SELECT part_key, min(priority) AS first_priority
    FROM (
        SELECT part_key, priority FROM core.transfer_wants
        UNION ALL
        SELECT a.part_key, w.priority
        FROM core.transfer_wants w
        JOIN core.bom_alternates a ON a.system_key = w.system_key AND a.line_key = w.line_key
    )
    GROUP BY part_key
),
wanted AS (
    SELECT l.*, w.first_priority FROM core.supply_lots l JOIN parts w ON w.part_key = l.part_key
    WHERE l.kind <> 'used' AND (NOT l.inbound OR l.told IS NOT NULL)
),
taken AS (SELECT lot_no, sum(quantity) AS quantity FROM core.netted GROUP BY lot_no),
left_over AS (
    SELECT l.*, (l.quantity - coalesce(t.quantity, 0)) AS rest
    FROM wanted l LEFT JOIN taken t ON t.lot_no = l.lot_no
    WHERE l.kind <> 'installed' AND l.quantity > coalesce(t.quantity, 0)
),
offers AS (
    SELECT
        CASE WHEN kind IN ('count', 'receipt') THEN 1 WHEN inbound THEN 2 ELSE 3 END AS rank,
        CASE WHEN kind IN ('count', 'receipt') THEN 'transfer' WHEN inbound THEN 'reallocation' ELSE 'kitted' END AS kind,
        part_key, site_key, system_key, NULL AS block_key, NULL::INTEGER AS holder_priority, rest AS quantity,
        available, lot_no, 0 AS demand_no, NULL AS told_by, NULL AS _ingest, NULL::BIGINT AS _row
    FROM left_over
    UNION ALL
    SELECT
        3, 'kitted', c.part_key, c.site_key, NULL, NULL, NULL, c.kitted, p.as_of, NULL, 0,
        'kitted in lot ' || c.lot || ', counted on ' || c.counted_on || ', for whom is not told', c._ingest, c._row
    FROM core.stock_counts c CROSS JOIN core.settings p
    JOIN parts w ON w.part_key = c.part_key
    WHERE c.kitted > 0 AND c.system_key IS NULL
    UNION ALL
    SELECT
        4, 'spare', u.part_key, u.site_key, u.system_key, u.block_key, NULL, count(*), any_value(p.as_of), NULL, 0,
        u.purpose || ' units', NULL, NULL
    FROM core.stock_users u
    CROSS JOIN core.settings p
    JOIN parts w ON w.part_key = u.part_key
    WHERE u.purpose <> 'production' AND u.here
    GROUP BY u.part_key, u.site_key, u.system_key, u.block_key, u.purpose
    UNION ALL
    SELECT
        CASE WHEN l.kind IN ('count', 'receipt') THEN 5 WHEN l.inbound THEN 6 WHEN l.kind = 'kitted' THEN 7 ELSE 8 END,
        CASE WHEN l.kind IN ('count', 'receipt') THEN 'transfer' WHEN l.inbound THEN 'reallocation' ELSE l.kind END,
        l.part_key, d.site_key, d.system_key, d.block_key, d.priority, n.quantity, l.available, l.lot_no, d.demand_no, NULL,
        NULL, NULL
    FROM wanted l
    JOIN core.netted n ON n.lot_no = l.lot_no AND NOT n.used
    JOIN core.supply_demand d ON d.demand_no = n.demand_no AND d.priority > l.first_priority
)
SELECT
    row_number() OVER (
        ORDER BY n.part_no, o.rank, o.holder_priority DESC, o.available, t.site_no, o.site_key, o.lot_no, o.demand_no,
            o.system_key, o.block_key, o.told_by
    ) AS offer_no,
    o.* REPLACE (o.quantity::DECIMAL(18, 3) AS quantity),
    y.system_no, t.site_no
FROM offers o
JOIN core.netted_parts n ON n.part_key = o.part_key
LEFT JOIN (SELECT system_key, min(system_no) AS system_no FROM core.block_needs GROUP BY ALL) y
    ON y.system_key = o.system_key
LEFT JOIN (SELECT site_key, min(site_no) AS site_no FROM core.block_needs GROUP BY ALL) t ON t.site_key = o.site_key
