-- table: core.stock_levels
-- grain: one row is a part at a site with what was counted there and what its movements make
-- key: site_key, part_key
-- moves: received in good state less returned less taken, up to the count (or to now where none was made). Where there
-- is a count it stands; gone is what it lacks of the moves, quarantined pieces not missing.
WITH counts AS (
    SELECT
        site_key, part_key, max(counted_on) AS counted_on, sum(free) AS free, sum(kitted) AS kitted,
        sum(quarantine) AS quarantine
    FROM core.stock_counts GROUP BY ALL
),
places AS (
    SELECT site_key, part_key FROM counts
    UNION
    SELECT site_key, part_key FROM core.goods WHERE event = 'received' AND site_key IS NOT NULL AND part_key IS NOT NULL
),
received AS (
    SELECT g.site_key, g.part_key, sum(g.quantity) AS quantity
    FROM core.goods g
    LEFT JOIN counts c ON c.site_key = g.site_key AND c.part_key = g.part_key
    WHERE g.event = 'received' AND g.moved <= coalesce(c.counted_on, DATE '9999-12-31') GROUP BY ALL
),
taken AS (
    SELECT u.site_key, u.part_key, count(*) AS quantity
    FROM core.stock_users u
    LEFT JOIN counts c ON c.site_key = u.site_key AND c.part_key = u.part_key
    WHERE u.since <= coalesce(c.counted_on, DATE '9999-12-31') GROUP BY ALL
)
SELECT
    row_number() OVER (ORDER BY a.site_key, a.part_key) AS level_no,
    a.site_key,
    a.part_key,
    c.counted_on,
    c.free,
    c.kitted,
    c.quarantine,
    coalesce(r.quantity, 0)::DECIMAL(18, 3) AS received,
    coalesce(t.quantity, 0)::DECIMAL(18, 3) AS taken,
    greatest(0, coalesce(r.quantity, 0) - coalesce(t.quantity, 0))::DECIMAL(18, 3) AS moves,
    greatest(0, greatest(0, coalesce(r.quantity, 0) - coalesce(t.quantity, 0)) - c.free - c.kitted - c.quarantine
    )::DECIMAL(18, 3) AS gone
FROM places a
LEFT JOIN counts c ON c.site_key = a.site_key AND c.part_key = a.part_key
LEFT JOIN received r ON r.site_key = a.site_key AND r.part_key = a.part_key
LEFT JOIN taken t ON t.site_key = a.site_key AND t.part_key = a.part_key
