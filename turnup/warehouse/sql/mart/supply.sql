-- table: mart.supply
-- grain: one row is a part of a system
-- key: system_key, part_key
-- YES: received covers the need. N/A: not fitted. UNKNOWN: no source, or a source without a date, for what is short.
-- NO: short, with the date at which the last open order line promises cover.
WITH installed AS (
    SELECT i.system_id_key AS system_key, i.part_number_key AS part_key, count(*) AS installed
    FROM core.assets i CROSS JOIN core.settings p
    WHERE i.located AND i.racked <= p.as_of AND i.status NOT IN ('planned', 'inventory') GROUP BY ALL
),
moving AS (
    SELECT g.po_key, g.po_line_key AS line_key, max(g.eta) AS eta
    FROM core.goods g WHERE g.event = 'shipped' AND g.po_key IS NOT NULL GROUP BY ALL
),
arrivals AS (
    SELECT
        a.system_key, a.part_key,
        min(coalesce(m.eta, a.promised)) AS next_arrival,
        max(coalesce(m.eta, a.promised)) AS cover,
        bool_and(coalesce(m.eta, a.promised) IS NOT NULL) AS dated,
        max(greatest(0, p.as_of - coalesce(m.eta, a.promised))) AS late_days
    FROM core.allocations a
    CROSS JOIN core.settings p
    LEFT JOIN moving m ON m.po_key = a.po_key AND m.line_key = a.line_key
    GROUP BY ALL
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
    CASE WHEN n.fitted THEN greatest(0, n.needed - q.received) ELSE 0 END::DECIMAL(18, 3) AS short,
    CASE WHEN n.fitted AND n.needed > q.received THEN a.next_arrival END AS next_arrival,
    CASE
        WHEN NOT n.fitted THEN 'N/A'
        WHEN q.received >= n.needed THEN 'YES'
        WHEN q.ordered >= n.needed AND a.dated THEN 'NO'
        ELSE 'UNKNOWN'
    END AS state,
    CASE WHEN n.fitted AND n.needed > q.received THEN a.late_days END::INTEGER AS late_days,
    n.orderable,
    CASE WHEN n.fitted AND n.needed > q.received AND q.ordered >= n.needed AND a.dated THEN a.cover END AS cover_date
FROM core.part_needs n
JOIN core.systems s ON s.system_key = n.system_key
JOIN core.part_supply q ON q.system_key = n.system_key AND q.part_key = n.part_key
LEFT JOIN installed i ON i.system_key = n.system_key AND i.part_key = n.part_key
LEFT JOIN arrivals a ON a.system_key = n.system_key AND a.part_key = n.part_key
WHERE n.in_bom
