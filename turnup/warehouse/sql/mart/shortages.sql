-- table: mart.shortages
-- grain: one row is a line of a bill of material of which a block lacks something
-- key: system_key, block, line
-- value is the missing quantity at the price of the newest order. covered_on and late_days as told; days_after_need is how
-- long after the need date the last of it comes. vendors: whom all that comes depends on.
SELECT
    l.system_key,
    s.system_id,
    l.block,
    l.line_key AS line,
    l.part_number,
    l.description,
    l.category,
    l.needed,
    l.on_site::DECIMAL(18, 3) AS on_site,
    l.short,
    (l.short * l.price)::DECIMAL(18, 2) AS value,
    CASE WHEN l.price IS NOT NULL THEN l.currency END AS currency,
    l.need_date,
    l.next_arrival,
    l.next_supply,
    CASE WHEN l.state = 'NO' THEN l.last_arrival END AS covered_on,
    CASE WHEN l.state = 'NO' THEN greatest(0, l.covered_on - l.need_date) END::INTEGER AS days_after_need,
    l.late_days::INTEGER AS late_days,
    l.coming::DECIMAL(18, 3) AS coming,
    l.undated::DECIMAL(18, 3) AS undated,
    l.unsourced,
    l.vendors,
    l.orderable,
    l.state,
    s.priority,
    s.site_id,
    i.file,
    l._row AS "row"
FROM core.short_lines l
JOIN core.systems s ON s.system_key = l.system_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = l._ingest
