-- table: core.install_facts
-- grain: one row is a block with what the data say of its design and of the crew that is to install it
-- key: system_key, block_key
-- design: the newest decision on a gate named design, else all activities of such a gate. crew: every unit that is not
-- racked yet has one, else every install activity has an owner and a start. NULL: the data say nothing. installed: all of
-- the block's capacity is racked.
WITH decisions AS (
    SELECT
        b.system_key, b.block_key,
        arg_max(d.outcome IN ('approve', 'approve_with_actions'), (d.decided, d.block_key = b.block_key)) AS released
    FROM core.blocks b
    CROSS JOIN core.settings p
    JOIN stg.gate_decisions d
        ON d.system_id_key = b.system_key AND coalesce(d.block_key, 'all') IN (b.block_key, 'all', '*')
    WHERE d.decided <= p.as_of AND lower(trim(d.gate)) LIKE 'design%' GROUP BY ALL
),
activities AS (
    SELECT
        b.system_key, b.block_key,
        bool_and(coalesce(a.percent, 0) >= 100) FILTER (lower(trim(a.gate)) LIKE 'design%') AS released,
        bool_and(a.owner IS NOT NULL AND a.start IS NOT NULL) FILTER (lower(trim(a.gate)) LIKE 'install%') AS booked
    FROM core.blocks b
    JOIN stg.activities a
        ON a.system_id_key = b.system_key AND coalesce(a.block_key, 'all') IN (b.block_key, 'all', '*')
    GROUP BY ALL
),
units AS (
    SELECT
        u.system_key, u.block_key,
        count(*) FILTER (NOT e.has) AS waiting,
        count(*) FILTER (NOT e.has AND a.crew IS NOT NULL) AS with_crew,
        sum(e.quantity) FILTER (e.has) AS installed
    FROM core.units u
    JOIN core.evidence_installed e ON e.system_key = u.system_key AND e.unit_key = u.unit_key
    JOIN core.assets a ON a.asset_key = u.asset_key
    GROUP BY ALL
)
SELECT
    b.system_key,
    b.block_key,
    coalesce(d.released, a.released) AS design_released,
    CASE
        WHEN u.waiting > 0 AND u.with_crew = u.waiting THEN true
        WHEN u.with_crew > 0 THEN false
        ELSE a.booked
    END AS crew_booked,
    coalesce(u.waiting = 0 AND n.planned > 0 AND u.installed >= n.planned, false) AS installed
FROM core.blocks b
JOIN core.block_needs n ON n.system_key = b.system_key AND n.block_key = b.block_key
LEFT JOIN decisions d ON d.system_key = b.system_key AND d.block_key = b.block_key
LEFT JOIN activities a ON a.system_key = b.system_key AND a.block_key = b.block_key
LEFT JOIN units u ON u.system_key = b.system_key AND u.block_key = b.block_key
