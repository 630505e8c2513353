-- table: core.transfer_wants
-- grain: one row is a line of a block of which something is not there by the day on which it is needed
-- key: demand_no
-- until: the last day on which something else would help: the need date, or the day before it is covered anyway where that
-- is later; empty where nothing has a day.
SELECT
    demand_no, priority, need_date, system_key, block_no, line_no, line_key, site_key, part_key,
    (needed - on_site - in_time)::DECIMAL(18, 3) AS missing,
    CASE WHEN state = 'NO' THEN greatest(need_date, covered_on - 1) END AS until
FROM core.supply_lines
WHERE fitted AND NOT made AND needed > on_site + in_time
