-- table: core.supply_demand
-- grain: one row is a line of a bill of material in a block, with the pieces it needs there
-- key: demand_no
-- A line for a whole system is divided over its blocks by planned capacity, in planned order; whole pieces stay whole,
-- and the earlier block has the odd one. used: pieces that went into units which are built. Systems whose line numbers
-- are many still have demand numbers of their own: a system has at most 1,000,000 lines and 10,000 blocks.
WITH whole AS (
    SELECT
        i.item_no * 10_000 + b.block_no AS demand_no,
        i.item_no, i.line_no, i.system_key, b.block_key, i.line_key, b.block_no, b.block_id, b.site_key, b.priority,
        b.need_date, b.planned, i.part_key, i.part_no, i.fitted, i.made, i.used_with, i.needed AS total_needed,
        CASE
            WHEN i.own_block IS NOT NULL OR NOT i.fitted OR (b.reached = b.total AND b.reached_before = 0)
                THEN i.needed::DOUBLE
            WHEN i.needed = trunc(i.needed) THEN
                CASE WHEN b.reached = b.total THEN i.needed::DOUBLE
                    ELSE ceil(i.needed::DOUBLE * b.reached / b.total - 1e-6) END
                - ceil(i.needed::DOUBLE * b.reached_before / b.total - 1e-6)
            ELSE
                CASE WHEN b.reached = b.total THEN i.needed::DOUBLE
                    ELSE floor(i.needed::DOUBLE * 1000 * b.reached / b.total + 1e-6) / 1000 END
                - floor(i.needed::DOUBLE * 1000 * b.reached_before / b.total + 1e-6) / 1000
        END::DECIMAL(18, 3) AS needed
    FROM core.bill_items i
    JOIN core.block_needs b
        ON b.system_key = i.system_key
        AND (b.block_key = i.own_block OR (i.own_block IS NULL AND (i.fitted OR b.block_no = 1)))
),
built AS (
    SELECT
        u.system_key, u.block_key,
        sum(e.quantity)::DOUBLE AS racked,
        sum(e.quantity) FILTER (a.cabled <= p.as_of)::DOUBLE AS cabled
    FROM core.evidence_installed e
    CROSS JOIN core.settings p
    JOIN core.units u ON u.system_key = e.system_key AND u.unit_key = e.unit_key AND u.dataset = 'installs'
    LEFT JOIN core.assets a ON a.asset_key = u.asset_key
    WHERE e.has GROUP BY ALL
),
shares AS (
    SELECT
        n.block_id,
        least(1, coalesce(b.racked, 0) / n.planned::DOUBLE) AS racked,
        least(1, coalesce(b.cabled, 0) / n.planned::DOUBLE) AS cabled
    FROM core.block_needs n
    JOIN built b ON b.system_key = n.system_key AND b.block_key = n.block_key
    WHERE n.planned > 0
)
SELECT
    w.* EXCLUDE (planned, used_with, total_needed),
    CASE
        WHEN w.used_with IS NULL OR w.made OR s.block_id IS NULL THEN 0
        WHEN w.needed = trunc(w.needed) THEN
            floor(w.needed::DOUBLE * CASE w.used_with WHEN 'cabled' THEN s.cabled ELSE s.racked END + 1e-6)
        ELSE w.needed::DOUBLE * CASE w.used_with WHEN 'cabled' THEN s.cabled ELSE s.racked END
    END::DECIMAL(18, 3) AS used
FROM whole w
LEFT JOIN shares s ON s.block_id = w.block_id
WHERE w.needed > 0 OR NOT w.fitted
