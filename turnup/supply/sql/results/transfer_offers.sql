-- table: core.transfer_offers
-- grain: one row is a quantity that only a decision can give to somebody who lacks it
-- key: offer_no
-- rank, least harm first: 1 free stock nobody needs at its site, 2 goods to come nobody needs, 3 kitted pieces nobody is
-- named for or needs, 4 spares, loans and evaluation units, then what a system of a lower priority has: 5 stock at another
-- site, 6 goods to come, 7 kitted, 8 installed. holder_priority is empty where nobody goes short by it.
WITH parts AS (
    SELECT part_key FROM core.transfer_wants
    UNION
    SELECT a.part_key
    FROM core.transfer_wants w
    JOIN core.bom_alternates a ON a.system_key = w.system_key AND a.line_key = w.line_key
),
taken AS (SELECT lot_no, sum(quantity) AS quantity FROM core.supply_allocations GROUP BY lot_no),
left_over AS (
    SELECT l.*, (l.quantity - coalesce(t.quantity, 0)) AS rest
    FROM core.supply_lots l LEFT JOIN taken t ON t.lot_no = l.lot_no
    WHERE l.part_key IN (SELECT part_key FROM parts) AND l.quantity > coalesce(t.quantity, 0)
),
offers AS (
    SELECT
        CASE WHEN kind IN ('count', 'receipt') THEN 1 WHEN inbound THEN 2 ELSE 3 END AS rank,
        CASE WHEN kind IN ('count', 'receipt') THEN 'transfer' WHEN inbound THEN 'reallocation' ELSE 'kitted' END AS kind,
        part_key, site_key, system_key, NULL AS block_key, NULL::INTEGER AS holder_priority, rest AS quantity,
        available, name AS supply, dataset, _ingest, _row, _sheet
    FROM left_over WHERE kind NOT IN ('installed', 'used') AND (NOT inbound OR told IS NOT NULL)
    UNION ALL
    SELECT
        3, 'kitted', c.part_key, c.site_key, NULL, NULL, NULL, c.kitted, p.as_of,
        'kitted in lot ' || c.lot || ', counted on ' || c.counted_on || ', for whom is not told', 'inventory',
        c._ingest, c._row, c._sheet
    FROM core.stock_counts c CROSS JOIN core.settings p
    WHERE c.kitted > 0 AND c.system_key IS NULL AND c.part_key IN (SELECT part_key FROM parts)
    UNION ALL
    SELECT
        4, 'spare', u.part_key, u.site_key, u.system_key, u.block_key, NULL, count(*), any_value(p.as_of),
        u.purpose || ' units', 'installs', min(a._ingest), arg_min_null(a._row, (a._ingest, a._row)),
        arg_min_null(a._sheet, (a._ingest, a._row))
    FROM core.stock_users u
    CROSS JOIN core.settings p
    JOIN core.assets a ON a.asset_key = u.asset_key AND a.located
    WHERE u.purpose <> 'production' AND u.part_key IN (SELECT part_key FROM parts)
    GROUP BY u.part_key, u.site_key, u.system_key, u.block_key, u.purpose
    UNION ALL
    SELECT
        CASE WHEN a.kind IN ('count', 'receipt') THEN 5 WHEN a.inbound THEN 6 WHEN a.kind = 'kitted' THEN 7 ELSE 8 END,
        CASE WHEN a.kind IN ('count', 'receipt') THEN 'transfer' WHEN a.inbound THEN 'reallocation' ELSE a.kind END,
        a.supply_part_key, d.site_key, a.system_key, a.block_key, d.priority, a.quantity, a.available, a.supply,
        a.dataset, a._ingest, a._row, a._sheet
    FROM core.supply_allocations a
    JOIN core.supply_demand d ON d.demand_no = a.demand_no
    WHERE a.supply_part_key IN (SELECT part_key FROM parts) AND a.kind <> 'used'
      AND (NOT a.inbound OR a.told IS NOT NULL)
      AND d.priority > (SELECT min(priority) FROM core.transfer_wants)
)
SELECT
    row_number() OVER (
        ORDER BY part_key, rank, holder_priority DESC, available, site_key, system_key, block_key, supply, quantity
    ) AS offer_no,
    * REPLACE (quantity::DECIMAL(18, 3) AS quantity)
FROM offers
