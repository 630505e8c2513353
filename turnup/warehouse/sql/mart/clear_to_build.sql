-- table: mart.clear_to_build
-- grain: one row is a block
-- key: system_key, block
-- state: YES when every fitted line is covered by what is there, UNKNOWN when one has no source or no day, else NO; a block
-- without a bill of material is UNKNOWN, and N/A where nothing of ours is built or planned. pacing: the line that is covered last (one
-- without a day is the last). Clear to install is also that the site is ready (criteria of gate site_ready), the design
-- released and a crew booked; what no data tell is UNKNOWN, and what is installed is N/A.
WITH pacing AS (
    SELECT *
    FROM core.short_lines
    QUALIFY row_number() OVER (
        PARTITION BY system_key, block_key
        ORDER BY state = 'UNKNOWN' DESC, CASE WHEN state = 'NO' THEN covered_on END DESC, on_site / needed, line_no
    ) = 1
),
value AS (
    SELECT
        system_key, block_key,
        CASE WHEN count(DISTINCT currency) = 1 AND count(*) FILTER (price IS NULL OR currency IS NULL) = 0
            THEN sum(short * price) END AS short_value,
        min(currency) AS currency
    FROM core.short_lines GROUP BY ALL
),
devices AS (
    SELECT
        system_key, block_key,
        sum(capacity) FILTER (NOT ready) AS held,
        count(*) FILTER (NOT ready) AS servers,
        CASE WHEN bool_and(ready OR ready_on IS NOT NULL) THEN max(ready_on) FILTER (NOT ready) END AS held_until,
        first_names(list(device ORDER BY device) FILTER (NOT ready)) AS names
    FROM core.kit_devices WHERE capacity > 0 GROUP BY ALL
),
switches AS (
    SELECT system_key, first_names(list(device || ' (' || missing || ' optics)' ORDER BY device)) AS names
    FROM core.kit_devices WHERE side = 'switch' AND missing > 0 GROUP BY ALL
),
site AS (
    SELECT
        system_key, block,
        CASE
            WHEN bool_or(state = 'not met') THEN 'NO'
            WHEN bool_and(state IN ('met', 'waived')) THEN 'YES'
            ELSE 'UNKNOWN'
        END AS ready
    FROM mart.criteria WHERE gate = 'site_ready' GROUP BY ALL
),
first_day AS (
    SELECT
        u.system_key, u.block_key,
        arg_min(u.buildable, u.day) AS buildable,
        arg_max(u.buildable, u.day) FILTER (u.day <= greatest(n.need_date, p.as_of)) AS by_need
    FROM core.buildable u
    CROSS JOIN core.settings p
    JOIN core.block_needs n ON n.system_key = u.system_key AND n.block_key = u.block_key
    GROUP BY ALL
),
blocks AS (
    SELECT
        n.*, s.system_id, s.kind, s.unit, s.site_id, s.priority,
        b.lines, b.covered, b.missing, b.unknown, b.not_fitted, b.short, b.kit_complete,
        coalesce(b.state, CASE WHEN s.unit_source = 'asset' AND n.planned > 0 THEN 'UNKNOWN' ELSE 'N/A' END) AS state,
        coalesce(i.ready, 'UNKNOWN') AS site_ready,
        CASE WHEN f.design_released THEN 'YES' WHEN NOT f.design_released THEN 'NO' ELSE 'UNKNOWN' END AS design_released,
        CASE WHEN f.crew_booked THEN 'YES' WHEN NOT f.crew_booked THEN 'NO' ELSE 'UNKNOWN' END AS crew_booked,
        coalesce(f.installed, false) AS installed
    FROM core.block_needs n
    JOIN core.systems s ON s.system_key = n.system_key
    LEFT JOIN core.block_supply b ON b.system_key = n.system_key AND b.block_key = n.block_key
    LEFT JOIN site i ON i.system_key = n.system_key AND lower(i.block) = lower(n.block)
    LEFT JOIN core.install_facts f ON f.system_key = n.system_key AND f.block_key = n.block_key
)
SELECT
    b.system_key,
    b.system_id,
    b.block,
    b.block_no::INTEGER AS block_no,
    b.kind,
    b.unit,
    b.site_id,
    b.priority,
    b.need_date,
    b.planned,
    b.state,
    b.lines,
    b.covered,
    b.missing,
    b.unknown,
    b.not_fitted,
    b.short,
    v.short_value::DECIMAL(18, 2) AS short_value,
    CASE WHEN v.short_value IS NOT NULL THEN v.currency END AS currency,
    u.buildable,
    u.by_need AS buildable_by_need,
    c.part_number AS pacing_part,
    figure(c.on_site) || ' of ' || figure(c.needed) || ' there'
        || CASE WHEN c.state = 'NO' THEN ', the last on ' || c.last_arrival
            WHEN c.unsourced > 0 THEN ', ' || figure(c.unsourced) || ' without a source'
            ELSE ', ' || figure(c.undated) || ' without a day' END AS pacing_note,
    b.kit_complete,
    CASE WHEN b.state = 'YES' THEN b.kit_complete ELSE k.kit_complete_p80 END AS kit_complete_p80,
    k.basis AS p80_basis,
    k.cases AS p80_cases,
    d.held::DECIMAL(18, 3) AS held_by_optics,
    d.held_until,
    CASE WHEN d.held > 0 THEN concat_ws('; ', 'servers ' || d.names, 'switches ' || w.names) END AS held_devices,
    b.installed,
    CASE WHEN b.state = 'N/A' OR b.installed THEN 'N/A' ELSE b.site_ready END AS site_ready,
    CASE WHEN b.state = 'N/A' OR b.installed THEN 'N/A' ELSE b.design_released END AS design_released,
    CASE WHEN b.state = 'N/A' OR b.installed THEN 'N/A' ELSE b.crew_booked END AS crew_booked,
    CASE
        WHEN b.state = 'N/A' OR b.installed THEN 'N/A'
        WHEN 'NO' IN (b.state, b.site_ready, b.design_released, b.crew_booked) THEN 'NO'
        WHEN 'UNKNOWN' IN (b.state, b.site_ready, b.design_released, b.crew_booked) THEN 'UNKNOWN'
        ELSE 'YES'
    END AS clear_to_install
FROM blocks b
LEFT JOIN value v ON v.system_key = b.system_key AND v.block_key = b.block_key
LEFT JOIN first_day u ON u.system_key = b.system_key AND u.block_key = b.block_key
LEFT JOIN pacing c ON c.system_key = b.system_key AND c.block_key = b.block_key
LEFT JOIN devices d ON d.system_key = b.system_key AND d.block_key = b.block_key
LEFT JOIN switches w ON w.system_key = b.system_key
LEFT JOIN core.kit_dates k ON k.system_key = b.system_key AND k.block_key = b.block_key
