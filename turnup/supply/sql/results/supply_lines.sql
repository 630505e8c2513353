-- table: core.supply_lines
-- grain: one row is a line of a bill of material in a block, with what covers it and its state
-- key: system_key, block_key, line_key
-- YES: what is installed, kitted for it or free at its site covers it. NO: short, and what comes covers it by a day.
-- UNKNOWN: something of it has no source, or none with a day. N/A: not fitted. An assembly that is made here is as good as
-- the worst of its components.
WITH RECURSIVE given AS (
    SELECT
        a.demand_no,
        sum(a.quantity) FILTER (a.kind = 'installed') AS installed,
        sum(a.quantity) FILTER (a.kind = 'used') AS used,
        sum(a.quantity) FILTER (a.kind = 'kitted') AS kitted,
        sum(a.quantity) FILTER (a.kind IN ('count', 'receipt')) AS stock,
        sum(a.quantity) FILTER (a.inbound AND a.told IS NOT NULL) AS coming,
        sum(a.quantity) FILTER (a.inbound AND a.told IS NULL) AS undated,
        sum(a.quantity) FILTER (a.as_alternate) AS by_alternate,
        sum(a.quantity) FILTER (a.inbound AND a.available <= coalesce(d.need_date, p.as_of)) AS in_time,
        min(a.told) FILTER (a.inbound) AS next_arrival,
        arg_min(a.supply, (a.told, a.allocation_no)) FILTER (a.inbound AND a.told IS NOT NULL) AS next_supply,
        max(a.told) FILTER (a.inbound) AS last_arrival,
        max(a.available) FILTER (a.inbound) AS covered_on,
        max(greatest(0, p.as_of - a.told)) FILTER (a.inbound) AS late_days,
        string_agg(DISTINCT a.vendor, ', ' ORDER BY a.vendor) FILTER (a.inbound) AS vendors
    FROM core.supply_allocations a
    CROSS JOIN core.settings p
    JOIN core.supply_demand d ON d.demand_no = a.demand_no
    GROUP BY a.demand_no
),
covered AS (
    SELECT
        d.*,
        coalesce(g.installed, 0) AS installed,
        coalesce(g.used, 0) AS built_in,
        coalesce(g.kitted, 0) AS kitted,
        coalesce(g.stock, 0) AS stock,
        coalesce(g.installed, 0) + coalesce(g.used, 0) + coalesce(g.kitted, 0) + coalesce(g.stock, 0) AS on_site,
        coalesce(g.coming, 0) AS coming,
        coalesce(g.undated, 0) AS undated,
        coalesce(g.by_alternate, 0) AS by_alternate,
        coalesce(g.in_time, 0) AS in_time,
        g.next_arrival, g.next_supply, g.last_arrival, g.covered_on, g.late_days, g.vendors
    FROM core.supply_demand d LEFT JOIN given g ON g.demand_no = d.demand_no
),
judged AS (
    SELECT
        * EXCLUDE (used),
        CASE WHEN fitted AND NOT made THEN needed - on_site ELSE 0 END::DECIMAL(18, 3) AS short,
        CASE WHEN fitted AND NOT made THEN needed - on_site - coming - undated ELSE 0 END::DECIMAL(18, 3) AS unsourced,
        CASE
            WHEN NOT fitted THEN 'N/A'
            WHEN made THEN NULL
            WHEN on_site >= needed THEN 'YES'
            WHEN on_site + coming >= needed THEN 'NO'
            ELSE 'UNKNOWN'
        END AS own_state
    FROM covered
),
components AS (
    SELECT DISTINCT m.system_key, m.line_key AS assembly, l.line_key
    FROM core.supply_demand m
    JOIN core.bom_lines l ON l.system_key = m.system_key AND l.parent_line_key = m.line_key
    WHERE m.made
    UNION
    SELECT c.system_key, c.assembly, l.line_key
    FROM components c JOIN core.bom_lines l ON l.system_key = c.system_key AND l.parent_line_key = c.line_key
),
assemblies AS (
    SELECT
        c.system_key, j.block_key, c.assembly AS line_key,
        bool_and(j.own_state IS NOT DISTINCT FROM 'YES') FILTER (j.own_state <> 'N/A') AS all_there,
        bool_or(j.own_state = 'UNKNOWN') AS unknown,
        max(j.covered_on) AS covered_on, max(j.last_arrival) AS last_arrival, min(j.next_arrival) AS next_arrival
    FROM components c
    JOIN judged j ON j.system_key = c.system_key AND j.line_key = c.line_key AND j.own_state IS NOT NULL
    GROUP BY ALL
)
SELECT
    j.* EXCLUDE (own_state) REPLACE (
        CASE WHEN j.made THEN a.covered_on ELSE j.covered_on END AS covered_on,
        CASE WHEN j.made THEN a.last_arrival ELSE j.last_arrival END AS last_arrival,
        CASE WHEN j.made THEN a.next_arrival ELSE j.next_arrival END AS next_arrival
    ),
    CASE
        WHEN NOT j.made THEN j.own_state
        WHEN coalesce(a.unknown, true) OR a.all_there IS NULL THEN 'UNKNOWN'
        WHEN a.all_there THEN 'YES'
        ELSE 'NO'
    END AS state,
    concat_ws('; ',
        'block ' || j.block || ': ' || figure(j.on_site) || ' of ' || figure(j.needed) || ' there',
        CASE WHEN j.by_alternate > 0 THEN figure(j.by_alternate) || ' by alternates' END,
        CASE WHEN j.coming > 0 THEN
            figure(j.coming) || ' to come, first on ' || j.next_arrival || ' by ' || j.next_supply END,
        CASE WHEN j.undated > 0 THEN figure(j.undated) || ' to come without a day' END,
        CASE WHEN j.unsourced > 0 THEN figure(j.unsourced) || ' without a source' END
    ) AS note,
    r.price,
    r.currency AS price_currency
FROM judged j
LEFT JOIN assemblies a ON a.system_key = j.system_key AND a.block_key = j.block_key AND a.line_key = j.line_key
LEFT JOIN core.part_prices r ON r.part_key = j.part_key
