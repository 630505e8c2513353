-- table: core.kit_cages
-- grain: one row is a cage of the cable plan that takes one optic of a bill of material, with its turn to get it
-- key: system_key, cage_key
-- Only where plan and bill count alike. The fabric between switches goes first, because every server needs it; then one
-- server after another, each with both ends of its cables. One part on both sides is one pool.
WITH optics AS (
    SELECT
        d.system_key, d.part_key,
        CASE
            WHEN contains(lower(b.bill_section), 'server') THEN 'server'
            WHEN contains(lower(b.bill_section), 'switch') THEN 'switch'
            ELSE 'any'
        END AS side,
        sum(d.needed) AS needed
    FROM core.supply_demand d
    JOIN core.bom_lines b ON b.system_key = d.system_key AND b.line_key = d.line_key
    WHERE b.category = 'optic' AND d.fitted AND NOT d.made
    GROUP BY ALL
),
pools AS (
    SELECT
        system_key,
        bool_or(side = 'any') OR (
            count(DISTINCT part_key) < count(DISTINCT (part_key, side))
        ) AS together
    FROM optics GROUP BY system_key
),
wanted AS (
    SELECT o.system_key, CASE WHEN p.together THEN 'any' ELSE o.side END AS side, sum(o.needed) AS needed
    FROM optics o JOIN pools p ON p.system_key = o.system_key GROUP BY ALL
),
servers AS (
    SELECT n.system_key, n.name_key AS device_key, any_value(u.block_key) AS block_key
    FROM core.unit_names n JOIN core.units u ON u.system_key = n.system_key AND u.unit_key = n.unit_key
    WHERE u.capacity > 0 GROUP BY ALL
),
ends AS (
    SELECT
        e.system_key, e.low_end, e.high_end, e.device_key, e.device,
        e.device_key || chr(31) || e.cage_key AS cage_key,
        CASE
            WHEN regexp_matches(lower(e.role), 'switch|leaf|spine|tor|core|border|aggregation') THEN 'switch'
            WHEN s.device_key IS NOT NULL OR regexp_matches(lower(e.role), 'server|compute|host|node') THEN 'server'
            ELSE 'switch'
        END AS side
    FROM core.cable_ends e
    LEFT JOIN servers s ON s.system_key = e.system_key AND s.device_key = e.device_key
    WHERE e."view" = 'planned' AND e.system_key IN (SELECT system_key FROM wanted)
      AND NOT coalesce(regexp_matches(lower(e.media), '\b(dac|aoc|acc|aec|copper|cat ?\d\w?|rj-?45|utp)\b'), false)
),
turns AS (
    SELECT
        e.system_key, e.device_key,
        row_number() OVER (
            PARTITION BY e.system_key
            ORDER BY n.need_date NULLS LAST, n.block_no NULLS LAST, regexp_replace(e.device_key, '\d+', '', 'g'),
                length(e.device_key), e.device_key
        ) AS turn
    FROM (SELECT DISTINCT system_key, device_key FROM ends WHERE side = 'server') e
    LEFT JOIN servers s ON s.system_key = e.system_key AND s.device_key = e.device_key
    LEFT JOIN core.block_needs n ON n.system_key = s.system_key AND n.block_key = s.block_key
),
cables AS (
    SELECT e.system_key, e.low_end, e.high_end, coalesce(min(t.turn), 0) AS turn
    FROM ends e
    LEFT JOIN turns t
        ON t.system_key = e.system_key AND t.device_key = CASE e.side WHEN 'server' THEN e.device_key END
    GROUP BY ALL
),
cages AS (
    SELECT
        e.system_key, e.cage_key, any_value(e.device_key) AS device_key, min(e.device) AS device, min(e.side) AS side,
        min(c.turn) AS turn
    FROM ends e
    JOIN cables c ON c.system_key = e.system_key AND c.low_end = e.low_end AND c.high_end = e.high_end
    GROUP BY e.system_key, e.cage_key
),
pooled AS (
    SELECT c.*, CASE WHEN p.together THEN 'any' ELSE c.side END AS pool
    FROM cages c JOIN pools p ON p.system_key = c.system_key
)
SELECT
    c.*,
    row_number() OVER (PARTITION BY c.system_key, c.pool ORDER BY c.turn, c.device_key, c.cage_key) AS place
FROM pooled c
JOIN wanted w ON w.system_key = c.system_key AND w.side = c.pool
QUALIFY count(*) OVER (PARTITION BY c.system_key, c.pool) = w.needed
