-- table: core.kit_devices
-- grain: one row is a device of the cable plan with the optics in its cages, and when they are all there
-- key: system_key, device_key
-- Optics are given to the cages in their turn as the netting covers them. A server is ready when the fabric, its own cages
-- and those at the far ends of its cables have theirs; ready_on is empty where something of that has no day.
WITH lines AS (
    SELECT
        d.demand_no, d.system_key, d.on_site,
        CASE WHEN g.pools = 1 AND g.pool = 'any' THEN 'any' WHEN contains(lower(b.bill_section), 'server') THEN 'server'
            ELSE 'switch' END AS pool
    FROM core.supply_lines d
    JOIN core.bom_lines b ON b.system_key = d.system_key AND b.line_key = d.line_key
    JOIN (SELECT system_key, count(DISTINCT pool) AS pools, min(pool) AS pool FROM core.kit_cages GROUP BY ALL) g
        ON g.system_key = d.system_key
    WHERE b.category = 'optic' AND d.fitted AND NOT d.made
),
events AS (
    SELECT l.system_key, l.pool, p.as_of AS day, sum(l.on_site) AS quantity
    FROM lines l CROSS JOIN core.settings p GROUP BY ALL
    UNION ALL
    SELECT l.system_key, l.pool, a.available, sum(n.quantity)
    FROM lines l
    JOIN core.netted n ON n.demand_no = l.demand_no
    JOIN core.supply_lots a ON a.lot_no = n.lot_no AND a.inbound AND a.told IS NOT NULL
    GROUP BY ALL
),
reached AS (
    SELECT system_key, pool, day, sum(quantity) OVER (PARTITION BY system_key, pool ORDER BY day) AS upto FROM events
),
supplied AS (
    SELECT c.*, min(r.day) AS ready_on
    FROM core.kit_cages c
    LEFT JOIN reached r ON r.system_key = c.system_key AND r.pool = c.pool AND r.upto >= c.place
    GROUP BY ALL
),
turns AS (
    SELECT
        system_key, turn, max(ready_on) AS ready_on, bool_or(ready_on IS NULL) AS untold
    FROM supplied GROUP BY ALL
),
devices AS (
    SELECT
        s.system_key, s.device_key, min(s.device) AS device, min(s.side) AS side, count(*) AS cages,
        count(*) FILTER (coalesce(s.ready_on > p.as_of, true)) AS missing,
        max(s.ready_on) AS own_ready_on, bool_or(s.ready_on IS NULL) AS own_untold,
        min(s.turn) FILTER (s.side = 'server') AS turn
    FROM supplied s CROSS JOIN core.settings p GROUP BY ALL
),
kits AS (
    SELECT
        d.*,
        greatest(d.own_ready_on, t.ready_on, f.ready_on) AS kit_ready_on,
        d.own_untold OR coalesce(t.untold, false) OR coalesce(f.untold, false) AS untold
    FROM devices d
    LEFT JOIN turns t ON t.system_key = d.system_key AND t.turn = d.turn
    LEFT JOIN turns f ON f.system_key = d.system_key AND f.turn = CASE d.side WHEN 'server' THEN 0 END
),
units AS (
    SELECT n.system_key, n.name_key AS device_key, any_value(u.block_key) AS block_key, max(u.capacity) AS capacity
    FROM core.unit_names n JOIN core.units u ON u.system_key = n.system_key AND u.unit_key = n.unit_key
    GROUP BY ALL
)
SELECT
    k.system_key,
    k.device_key,
    k.device,
    k.side,
    u.block_key,
    CASE WHEN k.side = 'server' THEN coalesce(u.capacity, 0) ELSE 0 END::DECIMAL(18, 3) AS capacity,
    k.cages::INTEGER AS cages,
    k.missing::INTEGER AS missing,
    CASE WHEN NOT k.untold THEN k.kit_ready_on END AS ready_on,
    coalesce(NOT k.untold AND k.kit_ready_on <= p.as_of, false) AS ready
FROM kits k
CROSS JOIN core.settings p
LEFT JOIN units u ON u.system_key = k.system_key AND u.device_key = CASE k.side WHEN 'server' THEN k.device_key END
