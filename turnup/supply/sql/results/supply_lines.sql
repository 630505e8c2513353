-- table: core.supply_lines
-- grain: one row is a line of a bill of material in a block, with what covers it and its state
-- key: demand_no
-- YES: what is installed, kitted for it or free at its site covers it. NO: short, and what comes covers it by a day.
-- UNKNOWN: something of it has no source, or none with a day. N/A: not fitted. An assembly that is made here is as good
-- as the worst of its components in the block. on_site is installed + built_in + kitted + stock.
WITH RECURSIVE taken AS (
    SELECT
        n.demand_no, n.quantity, n.used, n.place, l.kind, l.inbound, l.told, l.available
    FROM core.netted n JOIN core.supply_lots l ON l.lot_no = n.lot_no
),
there AS (
    SELECT
        demand_no,
        sum(CASE WHEN kind = 'installed' AND NOT used THEN quantity ELSE 0 END) AS installed,
        sum(CASE WHEN used THEN quantity ELSE 0 END) AS built_in,
        sum(CASE WHEN kind = 'kitted' THEN quantity ELSE 0 END) AS kitted,
        sum(quantity) AS on_site,
        sum(CASE WHEN place > 0 THEN quantity ELSE 0 END) AS by_alternate
    FROM taken WHERE NOT inbound GROUP BY demand_no
),
to_come AS (
    SELECT
        t.demand_no,
        sum(CASE WHEN t.told IS NOT NULL THEN t.quantity ELSE 0 END) AS coming,
        sum(CASE WHEN t.told IS NULL THEN t.quantity ELSE 0 END) AS undated,
        sum(CASE WHEN t.place > 0 THEN t.quantity ELSE 0 END) AS by_alternate,
        sum(CASE WHEN t.available <= coalesce(d.need_date, p.as_of) THEN t.quantity ELSE 0 END) AS in_time,
        min(t.told) AS next_arrival,
        max(t.told) AS last_arrival,
        max(t.available) AS covered_on
    FROM taken t
    CROSS JOIN core.settings p
    JOIN core.supply_demand d ON d.demand_no = t.demand_no
    WHERE t.inbound GROUP BY t.demand_no
),
judged AS (
    SELECT
        d.* EXCLUDE (used, part_no, block_id),
        coalesce(a.installed, 0)::DECIMAL(18, 3) AS installed,
        coalesce(a.built_in, 0)::DECIMAL(18, 3) AS built_in,
        coalesce(a.kitted, 0)::DECIMAL(18, 3) AS kitted,
        (coalesce(a.on_site, 0) - coalesce(a.installed, 0) - coalesce(a.built_in, 0) - coalesce(a.kitted, 0)
        )::DECIMAL(18, 3) AS stock,
        coalesce(a.on_site, 0)::DECIMAL(18, 3) AS on_site,
        coalesce(c.coming, 0)::DECIMAL(18, 3) AS coming,
        coalesce(c.undated, 0)::DECIMAL(18, 3) AS undated,
        (coalesce(a.by_alternate, 0) + coalesce(c.by_alternate, 0))::DECIMAL(18, 3) AS by_alternate,
        coalesce(c.in_time, 0)::DECIMAL(18, 3) AS in_time,
        c.next_arrival,
        c.last_arrival,
        c.covered_on,
        (CASE WHEN d.fitted AND NOT d.made THEN d.needed - coalesce(a.on_site, 0) ELSE 0 END)::DECIMAL(18, 3) AS short,
        (CASE WHEN d.fitted AND NOT d.made
            THEN d.needed - coalesce(a.on_site, 0) - coalesce(c.coming, 0) - coalesce(c.undated, 0) ELSE 0 END
        )::DECIMAL(18, 3) AS unsourced,
        CASE
            WHEN NOT d.fitted THEN 'N/A'
            WHEN d.made THEN NULL
            WHEN coalesce(a.on_site, 0) >= d.needed THEN 'YES'
            WHEN coalesce(a.on_site, 0) + coalesce(c.coming, 0) >= d.needed THEN 'NO'
            ELSE 'UNKNOWN'
        END AS state
    FROM core.supply_demand d
    LEFT JOIN there a ON a.demand_no = d.demand_no
    LEFT JOIN to_come c ON c.demand_no = d.demand_no
),
components AS (
    SELECT m.item_no AS assembly, m.system_key, l.line_key
    FROM core.bill_items m
    JOIN core.bom_lines l ON l.system_key = m.system_key AND l.parent_line_key = m.line_key
    WHERE m.made
    UNION
    SELECT c.assembly, c.system_key, l.line_key
    FROM components c JOIN core.bom_lines l ON l.system_key = c.system_key AND l.parent_line_key = c.line_key
),
assemblies AS (
    SELECT
        c.assembly, j.block_key,
        bool_and(j.state = 'YES') FILTER (j.state <> 'N/A') AS all_there,
        bool_or(j.state = 'UNKNOWN') AS unknown,
        max(j.covered_on) AS covered_on, max(j.last_arrival) AS last_arrival, min(j.next_arrival) AS next_arrival
    FROM components c
    JOIN judged j ON j.system_key = c.system_key AND j.line_key = c.line_key AND j.state IS NOT NULL
    GROUP BY ALL
)
SELECT * FROM judged WHERE NOT made
UNION ALL BY NAME
SELECT
    j.* REPLACE (
        a.covered_on AS covered_on,
        a.last_arrival AS last_arrival,
        a.next_arrival AS next_arrival,
        CASE
            WHEN coalesce(a.unknown, true) OR a.all_there IS NULL THEN 'UNKNOWN'
            WHEN a.all_there THEN 'YES'
            ELSE 'NO'
        END AS state
    )
FROM judged j
LEFT JOIN assemblies a ON a.assembly = j.item_no AND a.block_key = j.block_key
WHERE j.made
