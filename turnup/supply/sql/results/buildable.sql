-- table: core.buildable
-- grain: one row is a block and a day from which more of it can be built than before; the first is the data date
-- key: system_key, block_key, day
-- What can be built is the least over the fitted lines: of each part that bears capacity as many whole pieces as the
-- scarcest line allows. Optics that the cable plan places count by the servers whose kit is whole. What is powered on is
-- built, whatever the lines say. Days are the data date and the last day of each week in which something arrives.
WITH placed AS (
    SELECT k.system_key
    FROM (SELECT system_key, sum(capacity) AS capacity FROM core.kit_devices GROUP BY ALL) k
    JOIN (SELECT system_key, sum(planned) AS planned FROM core.block_sizes GROUP BY ALL) b ON b.system_key = k.system_key
    WHERE k.capacity = b.planned
      AND k.system_key NOT IN (
          SELECT d.system_key FROM core.kit_devices d
          LEFT JOIN core.block_sizes s ON s.system_key = d.system_key AND s.block_key = d.block_key
          WHERE d.capacity > 0 AND s.block_key IS NULL
      )
),
lines AS (
    SELECT
        l.demand_no, l.system_key, l.block_key, l.needed, l.on_site, l.short, i.capacity_per_unit,
        coalesce(i.category = 'optic', false) AND l.system_key IN (SELECT system_key FROM placed) AS by_device
    FROM core.supply_lines l JOIN core.bill_items i ON i.item_no = l.item_no
    WHERE l.fitted AND NOT l.made AND (l.short > 0 OR i.capacity_per_unit > 0)
),
short AS (SELECT * FROM lines WHERE short > 0 AND NOT by_device),
arrivals AS (
    SELECT
        d.demand_no, d.system_key, d.block_key, date_trunc('week', a.available)::DATE + 6 AS day,
        sum(n.quantity) AS quantity
    FROM core.netted n
    JOIN core.supply_lots a ON a.lot_no = n.lot_no AND a.inbound AND a.told IS NOT NULL
    JOIN short d ON d.demand_no = n.demand_no
    GROUP BY ALL
),
devices AS (
    SELECT
        k.system_key, k.block_key,
        CASE WHEN k.ready_on <= p.as_of THEN p.as_of ELSE date_trunc('week', k.ready_on)::DATE + 6 END AS day,
        sum(k.capacity) AS capacity
    FROM core.kit_devices k CROSS JOIN core.settings p
    WHERE k.capacity > 0 AND k.system_key IN (SELECT system_key FROM placed) AND k.ready_on IS NOT NULL GROUP BY ALL
),
days AS (
    SELECT b.system_key, b.block_key, p.as_of AS day FROM core.block_supply b CROSS JOIN core.settings p
    WHERE b.lines > 0
    UNION
    SELECT system_key, block_key, day FROM arrivals
    UNION
    SELECT system_key, block_key, day FROM devices
),
reached AS (
    SELECT
        w.system_key, w.block_key, w.day, s.needed,
        s.on_site + coalesce(sum(a.quantity) OVER (PARTITION BY s.demand_no ORDER BY w.day), 0) AS upto
    FROM days w
    JOIN short s ON s.system_key = w.system_key AND s.block_key = w.block_key
    LEFT JOIN arrivals a ON a.demand_no = s.demand_no AND a.day = w.day
),
bearing AS (
    SELECT system_key, block_key, demand_no, needed, capacity_per_unit FROM lines WHERE capacity_per_unit > 0
    UNION ALL
    SELECT n.system_key, n.block_key, 0, n.planned, 1
    FROM core.block_needs n
    WHERE n.planned > 0
      AND NOT EXISTS (
          SELECT 1 FROM lines l
          WHERE l.system_key = n.system_key AND l.block_key = n.block_key AND l.capacity_per_unit > 0
      )
),
pieces AS (
    SELECT
        w.system_key, w.block_key, w.day, b.demand_no, any_value(b.capacity_per_unit) AS capacity_per_unit,
        min(coalesce(
            (b.needed * 1000)::HUGEINT * (r.upto * 1000)::HUGEINT // ((r.needed * 1000)::HUGEINT * 1000),
            (b.needed * 1000)::HUGEINT // 1000
        )) AS pieces
    FROM days w
    JOIN bearing b ON b.system_key = w.system_key AND b.block_key = w.block_key
    LEFT JOIN reached r ON r.system_key = w.system_key AND r.block_key = w.block_key AND r.day = w.day
    GROUP BY ALL
),
by_lines AS (
    SELECT system_key, block_key, day, sum(pieces * capacity_per_unit) AS capacity FROM pieces GROUP BY ALL
),
powered AS (
    SELECT u.system_key, u.block_key, sum(e.quantity) AS capacity
    FROM core.evidence_powered e JOIN core.units u ON u.system_key = e.system_key AND u.unit_key = e.unit_key
    WHERE e.has GROUP BY ALL
),
limited AS (
    SELECT
        l.system_key, l.block_key, l.day,
        greatest(o.capacity, least(
            l.capacity,
            CASE WHEN n.planned > 0 THEN n.planned END,
            CASE WHEN l.system_key IN (SELECT system_key FROM placed) THEN coalesce(sum(d.capacity) OVER (
                PARTITION BY l.system_key, l.block_key ORDER BY l.day), 0) END
        ))::DECIMAL(18, 3) AS buildable
    FROM by_lines l
    JOIN core.block_needs n ON n.system_key = l.system_key AND n.block_key = l.block_key
    LEFT JOIN powered o ON o.system_key = l.system_key AND o.block_key = l.block_key
    LEFT JOIN devices d ON d.system_key = l.system_key AND d.block_key = l.block_key AND d.day = l.day
)
SELECT system_key, block_key, day, buildable
FROM limited CROSS JOIN core.settings p
QUALIFY day = p.as_of OR buildable > lag(buildable) OVER (PARTITION BY system_key, block_key ORDER BY day)
