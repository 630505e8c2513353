-- table: core.link_swaps
-- grain: one row is a pair of planned cables whose ends were exchanged: each was found at an end of the other
-- key: low_end, high_end
-- low_end and high_end are those of the cable of the two that comes first; the other is beside it.
WITH seen AS (
    SELECT DISTINCT low_end, high_end FROM core.link_ends
    WHERE "view" = 'observed' AND coalesce(state, 'up') <> 'absent'
),
plan AS (
    SELECT DISTINCT low_end, high_end FROM core.link_ends WHERE "view" = 'planned'
),
sides AS (
    SELECT low_end AS near_end, high_end AS far_end, * FROM plan
    UNION ALL SELECT high_end, low_end, * FROM plan
),
crossed AS (
    SELECT
        least(p.low_end || chr(30) || p.high_end, q.low_end || chr(30) || q.high_end) AS one,
        greatest(p.low_end || chr(30) || p.high_end, q.low_end || chr(30) || q.high_end) AS other,
        least(p.far_end, q.far_end) AS rest_low,
        greatest(p.far_end, q.far_end) AS rest_high
    FROM seen s
    JOIN sides p ON p.near_end = s.low_end
    JOIN sides q ON q.near_end = s.high_end
    WHERE (p.low_end, p.high_end) <> (q.low_end, q.high_end)
)
SELECT
    split_part(c.one, chr(30), 1) AS low_end,
    split_part(c.one, chr(30), 2) AS high_end,
    split_part(min(c.other), chr(30), 1) AS other_low,
    split_part(min(c.other), chr(30), 2) AS other_high
FROM crossed c
JOIN seen s ON s.low_end = c.rest_low AND s.high_end = c.rest_high
GROUP BY c.one
