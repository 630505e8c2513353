-- table: core.short_lines
-- grain: one row is a line of which a block lacks something on site, with who brings the rest, its price and a sentence
-- key: demand_no
WITH arrivals AS (
    SELECT
        n.demand_no,
        min(l.told) AS next_arrival,
        max(l.told) AS last_arrival,
        arg_min(l.name, (l.told, n.allocation_no)) FILTER (l.told IS NOT NULL) AS next_supply,
        string_agg(DISTINCT l.vendor, ', ' ORDER BY l.vendor) AS vendors,
        max(CASE WHEN l.told IS NOT NULL THEN greatest(0, p.as_of - l.told) END) AS late_days
    FROM core.netted n
    CROSS JOIN core.settings p
    JOIN core.supply_lots l ON l.lot_no = n.lot_no AND l.inbound
    GROUP BY n.demand_no
)
SELECT
    s.*,
    d.line_no, d.block_no, d.site_key, d.priority,
    n.block,
    b.line, b.part_number, b.manufacturer, b.description, b.category, b.orderable,
    a.next_arrival, a.last_arrival, a.next_supply, a.vendors, a.late_days,
    r.price,
    r.currency,
    concat_ws('; ',
        'block ' || n.block || ': ' || pieces(s.on_site) || ' of ' || pieces(s.needed) || ' there',
        CASE WHEN s.by_alternate > 0 THEN pieces(s.by_alternate) || ' by alternates' END,
        CASE WHEN s.coming > 0 THEN
            pieces(s.coming) || ' to come, first on ' || a.next_arrival || ' by ' || a.next_supply END,
        CASE WHEN s.undated > 0 THEN pieces(s.undated) || ' to come without a day' END,
        CASE WHEN s.unsourced > 0 THEN pieces(s.unsourced) || ' without a source' END
    ) AS note,
    b._ingest, b._row, b._sheet
FROM core.supply_lines s
JOIN core.supply_demand d ON d.demand_no = s.demand_no
JOIN core.block_needs n ON n.system_key = s.system_key AND n.block_key = s.block_key
JOIN core.bom_lines b ON b.system_key = s.system_key AND b.line_key = s.line_key
LEFT JOIN arrivals a ON a.demand_no = s.demand_no
LEFT JOIN core.part_prices r ON r.part_key = s.part_key
WHERE s.short > 0
