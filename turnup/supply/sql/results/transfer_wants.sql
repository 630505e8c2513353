-- table: core.transfer_wants
-- grain: one row is a line of a block of which something is not there by the day on which it is needed
-- key: demand_no
-- until: the last day on which something else would help: the need date, or the day before it is covered anyway where that
-- is later; empty where nothing has a day.
SELECT
    l.demand_no, b.priority, l.need_date, l.system_key, l.block_key, b.block_no, d.line_no, l.line_key, b.site_key,
    l.part_key, b.block_id, b.system_no, b.site_no,
    (l.needed - l.on_site - l.in_time)::DECIMAL(18, 3) AS missing,
    CASE WHEN l.state = 'NO' THEN greatest(l.need_date, l.covered_on - 1) END AS until
FROM core.supply_lines l
JOIN core.supply_demand d ON d.demand_no = l.demand_no
JOIN core.block_needs b ON b.system_key = l.system_key AND b.block_key = l.block_key
WHERE l.fitted AND NOT l.made AND l.needed > l.on_site + l.in_time
