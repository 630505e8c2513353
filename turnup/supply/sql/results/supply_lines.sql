-- table: core.supply_lines
-- grain: one row is a line of a bill of material in a block, with what covers it and its state
-- key: demand_no
-- YES: what is installed, kitted for it or free at its site covers it. NO: short, and what comes covers it by a day.
-- UNKNOWN: something of it has no source, or none with a day. N/A: not fitted. An assembly that is made here is as good
-- as the worst of its components in the block. on_site is installed + built_in + kitted + stock. netted_lines is what the
-- netting gave each line.
WITH RECURSIVE judged AS (
    SELECT
        d.demand_no, d.item_no, d.system_key, d.block_key, d.line_key, d.part_key, d.need_date, d.needed, d.fitted, d.made,
        coalesce(n.installed, 0)::DECIMAL(18, 3) AS installed,
        coalesce(n.built_in, 0)::DECIMAL(18, 3) AS built_in,
        coalesce(n.kitted, 0)::DECIMAL(18, 3) AS kitted,
        coalesce(n.on_site - n.installed - n.built_in - n.kitted, 0)::DECIMAL(18, 3) AS stock,
        coalesce(n.on_site, 0)::DECIMAL(18, 3) AS on_site,
        coalesce(n.coming, 0)::DECIMAL(18, 3) AS coming,
        coalesce(n.undated, 0)::DECIMAL(18, 3) AS undated,
        coalesce(n.by_alternate, 0)::DECIMAL(18, 3) AS by_alternate,
        coalesce(n.in_time, 0)::DECIMAL(18, 3) AS in_time,
        n.covered_on,
        CASE WHEN d.fitted AND NOT d.made THEN d.needed - n.on_site ELSE 0 END::DECIMAL(18, 3) AS short,
        CASE WHEN d.fitted AND NOT d.made THEN d.needed - n.on_site - n.coming - n.undated ELSE 0 END::DECIMAL(18, 3)
            AS unsourced,
        CASE
            WHEN NOT d.fitted THEN 'N/A'
            WHEN d.made THEN NULL
            WHEN n.on_site >= d.needed THEN 'YES'
            WHEN n.on_site + n.coming >= d.needed THEN 'NO'
            ELSE 'UNKNOWN'
        END AS state
    FROM core.supply_demand d
    LEFT JOIN netted_lines n ON n.demand_no = d.demand_no
),
components AS (
    SELECT m.item_no AS assembly, m.system_key, l.line_key
    FROM core.bill_items m
    JOIN core.bom_lines l ON l.system_key = m.system_key AND l.parent_line_key = m.line_key
    WHERE m.made
    UNION
    SELECT c.assembly, c.system_key, l.line_key
    FROM components c JOIN core.bom_lines l ON l.system_key = c.system_key AND l.parent_line_key = c.line_key
),
assemblies AS (
    SELECT
        c.assembly, j.block_key,
        bool_and(j.state = 'YES') FILTER (j.state <> 'N/A') AS all_there,
        bool_or(j.state = 'UNKNOWN') AS unknown,
        max(j.covered_on) AS covered_on
    FROM components c
    JOIN judged j ON j.system_key = c.system_key AND j.line_key = c.line_key AND j.state IS NOT NULL
    GROUP BY ALL
)
SELECT * FROM judged WHERE NOT made
UNION ALL BY NAME
SELECT
    j.* REPLACE (
        a.covered_on AS covered_on,
        CASE
            WHEN coalesce(a.unknown, true) OR a.all_there IS NULL THEN 'UNKNOWN'
            WHEN a.all_there THEN 'YES'
            ELSE 'NO'
        END AS state
    )
FROM judged j
LEFT JOIN assemblies a ON a.assembly = j.item_no AND a.block_key = j.block_key
WHERE j.made
