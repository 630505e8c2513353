-- table: core.block_supply
-- grain: one row is a block with a bill of material: how many of its lines are covered, and when the last one is
-- key: system_key, block_key
-- kit_complete: the data date when nothing is short, else the day on which the last piece comes, if all have one.
SELECT
    l.system_key,
    l.block_key,
    count(*) FILTER (l.fitted)::INTEGER AS lines,
    count(*) FILTER (l.state = 'YES')::INTEGER AS covered,
    count(*) FILTER (l.state = 'NO')::INTEGER AS missing,
    count(*) FILTER (l.state = 'UNKNOWN')::INTEGER AS unknown,
    count(*) FILTER (l.state = 'N/A')::INTEGER AS not_fitted,
    sum(l.short)::DECIMAL(18, 3) AS short,
    CASE WHEN count(*) FILTER (l.state = 'UNKNOWN') = 0 THEN coalesce(max(l.covered_on), p.as_of) END AS kit_complete,
    CASE
        WHEN count(*) FILTER (l.fitted) = 0 THEN 'N/A'
        WHEN count(*) FILTER (l.state = 'UNKNOWN') > 0 THEN 'UNKNOWN'
        WHEN count(*) FILTER (l.state = 'NO') > 0 THEN 'NO'
        ELSE 'YES'
    END AS state
FROM core.supply_lines l CROSS JOIN core.settings p
GROUP BY l.system_key, l.block_key, p.as_of
