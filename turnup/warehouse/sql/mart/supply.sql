-- table: mart.supply
-- grain: one row is a part of a system
-- key: system_key, part_key
-- The lines of the part over all blocks: as good as the worst of them. short: needed and neither installed, kitted for
-- it, nor free at its site. ordered, shipped and received are what its own order lines brought. cover_date is the day as
-- told on which the last of what it misses comes, where all of it has a day.
WITH lines AS (
    SELECT
        system_key,
        part_key,
        sum(short) AS short,
        sum(on_site) FILTER (fitted) AS on_site,
        sum(stock) AS stock,
        sum(kitted) AS kitted,
        sum(coming) AS coming,
        sum(undated) AS undated,
        sum(unsourced) AS unsourced,
        sum(by_alternate) AS by_alternate,
        min(need_date) FILTER (short > 0) AS need_date,
        bool_or(fitted) AS fitted,
        bool_or(state = 'UNKNOWN') AS unknown,
        bool_or(state = 'NO') AS missing
    FROM core.supply_lines GROUP BY ALL
),
late AS (
    SELECT
        system_key, part_key, max(late_days) AS late_days, min(next_arrival) AS next_arrival,
        max(last_arrival) AS last_arrival,
        string_agg(DISTINCT vendors, ', ' ORDER BY vendors) AS vendors
    FROM core.short_lines GROUP BY ALL
),
installed AS (
    SELECT i.system_id_key AS system_key, i.part_number_key AS part_key, count(*) AS installed
    FROM core.assets i CROSS JOIN core.settings p
    WHERE i.located AND i.racked <= p.as_of AND i.status NOT IN ('planned', 'inventory') GROUP BY ALL
)
SELECT
    n.system_key,
    s.system_id,
    n.part_key,
    n.part_number,
    n.description,
    n.category,
    n.needed,
    q.ordered,
    q.shipped,
    q.received,
    coalesce(i.installed, 0)::DECIMAL(18, 3) AS installed,
    l.short::DECIMAL(18, 3) AS short,
    t.next_arrival,
    CASE WHEN NOT l.fitted THEN 'N/A' WHEN l.unknown THEN 'UNKNOWN' WHEN l.missing THEN 'NO' ELSE 'YES' END AS state,
    t.late_days::INTEGER AS late_days,
    n.orderable,
    CASE WHEN l.missing AND NOT l.unknown THEN t.last_arrival END AS cover_date,
    coalesce(l.stock, 0)::DECIMAL(18, 3) AS stock,
    coalesce(l.kitted, 0)::DECIMAL(18, 3) AS kitted,
    coalesce(l.coming, 0)::DECIMAL(18, 3) AS coming,
    coalesce(l.undated, 0)::DECIMAL(18, 3) AS undated,
    coalesce(l.unsourced, 0)::DECIMAL(18, 3) AS unsourced,
    coalesce(l.by_alternate, 0)::DECIMAL(18, 3) AS by_alternate,
    l.need_date,
    t.vendors
FROM core.part_needs n
JOIN core.systems s ON s.system_key = n.system_key
JOIN core.part_supply q ON q.system_key = n.system_key AND q.part_key = n.part_key
JOIN lines l ON l.system_key = n.system_key AND l.part_key = n.part_key
LEFT JOIN late t ON t.system_key = n.system_key AND t.part_key = n.part_key
LEFT JOIN installed i ON i.system_key = n.system_key AND i.part_key = n.part_key
WHERE n.in_bom
