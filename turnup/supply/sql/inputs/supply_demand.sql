-- table: core.supply_demand
-- grain: one row is a line of a bill of material in a block, with the pieces it needs there
-- key: system_key, block_key, line_key
-- A line for a whole system is divided over its blocks by planned capacity, in planned order; whole pieces stay whole,
-- and the earlier block has the odd one. made: an assembly that nobody sells or stocks; its components are what is
-- needed. used: of a part that no register tracks in the system
-- (nor its alternates), the pieces that went into units which
-- are built (racked, and for optics and cables also cabled).
WITH parents AS (
    SELECT DISTINCT system_key, parent_line_key AS line_key FROM core.bom_lines WHERE fitted AND NOT looped
),
sourced AS (
    SELECT l.system_key, l.line_key FROM core.bom_lines l JOIN core.sourced_parts p ON p.part_key = l.part_key
    UNION
    SELECT a.system_key, a.line_key FROM core.bom_alternates a JOIN core.sourced_parts p ON p.part_key = a.part_key
),
lines AS (
    SELECT
        l.*,
        b.block_key AS own_block,
        l.fitted AND h.line_key IS NOT NULL AND r.line_key IS NULL AND NOT l.looped AS made
    FROM core.bom_lines l
    LEFT JOIN parents h ON h.system_key = l.system_key AND h.line_key = l.line_key
    LEFT JOIN sourced r ON r.system_key = l.system_key AND r.line_key = l.line_key
    LEFT JOIN core.block_needs b ON b.system_key = l.system_key AND b.block_key = l.block_key
),
shared AS (
    SELECT
        l.*,
        b.block_key AS for_block, b.block, b.block_no, b.planned, b.need_date,
        CASE
            WHEN l.own_block IS NOT NULL OR b.total = 0 THEN l.needed
            WHEN l.needed = trunc(l.needed) THEN
                (l.needed::HUGEINT * b.reached + b.total - 1) // b.total
                    - (l.needed::HUGEINT * b.reached_before + b.total - 1) // b.total
            ELSE ((l.needed * 1000)::HUGEINT * b.reached // b.total
                - (l.needed * 1000)::HUGEINT * b.reached_before // b.total)::DECIMAL(18, 3) / 1000
        END::DECIMAL(18, 3) AS pieces
    FROM lines l
    JOIN core.block_needs b
        ON b.system_key = l.system_key
        AND (l.own_block = b.block_key OR (l.own_block IS NULL AND (l.fitted OR b.block_no = 1)))
),
built AS (
    SELECT
        u.system_key, u.block_key,
        sum(e.quantity) AS racked,
        sum(e.quantity) FILTER (a.cabled <= p.as_of) AS cabled
    FROM core.evidence_installed e
    CROSS JOIN core.settings p
    JOIN core.units u ON u.system_key = e.system_key AND u.unit_key = e.unit_key AND u.dataset = 'installs'
    LEFT JOIN core.assets a ON a.asset_key = u.asset_key
    WHERE e.has GROUP BY ALL
),
assets AS (
    SELECT DISTINCT system_id_key AS system_key, part_number_key AS part_key FROM core.assets
),
tracked AS (
    SELECT l.system_key, l.line_key
    FROM core.bom_lines l JOIN assets a ON a.system_key = l.system_key AND a.part_key = l.part_key
    UNION
    SELECT l.system_key, l.line_key
    FROM core.bom_alternates l JOIN assets a ON a.system_key = l.system_key AND a.part_key = l.part_key
),
counted AS (
    SELECT
        l.* EXCLUDE (pieces),
        CASE WHEN l.fitted THEN l.pieces ELSE l.needed END AS pieces,
        CASE WHEN l.fitted AND NOT l.made AND t.line_key IS NULL AND l.planned > 0 THEN
            (l.pieces * 1000)::HUGEINT * (least(l.planned, coalesce(
                CASE WHEN l.category IN ('optic', 'cable') THEN u.cabled ELSE u.racked END, 0)) * 1000)::HUGEINT
                // (l.planned * 1000)::HUGEINT
        ELSE 0 END AS used_thousandths
    FROM shared l
    LEFT JOIN built u ON u.system_key = l.system_key AND u.block_key = l.for_block
    LEFT JOIN tracked t ON t.system_key = l.system_key AND t.line_key = l.line_key
    WHERE l.pieces > 0 OR NOT l.fitted
)
SELECT
    row_number() OVER (ORDER BY s.system_key, l.block_no, l.line_key) AS demand_no,
    dense_rank() OVER (
        PARTITION BY s.system_key
        ORDER BY regexp_replace(l.line_key, '\d+', '', 'g'), length(l.line_key), l.line_key
    ) AS line_no,
    s.system_key,
    l.for_block AS block_key,
    l.line_key,
    l.line,
    l.block,
    l.block_no,
    s.site_key,
    s.netting_order AS priority,
    l.need_date,
    l.part_key,
    l.part_number,
    l.manufacturer,
    l.description,
    l.category,
    l.pieces AS needed,
    l.fitted,
    l.made,
    l.orderable,
    l.capacity_per_unit,
    (CASE WHEN l.pieces = trunc(l.pieces) THEN l.used_thousandths // 1000 * 1000 ELSE l.used_thousandths END
        / 1000)::DECIMAL(18, 3) AS used,
    l.unit_price,
    l.currency,
    l._ingest,
    l._row,
    l._sheet
FROM counted l
JOIN core.systems s ON s.system_key = l.system_key
