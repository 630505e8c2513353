-- table: core.buildable_now
-- grain: one row is a block with what can be built of it today, and the line that allows the least
-- key: system_key, block_key
SELECT
    b.system_key, s.system_id, b.block_key, n.block, b.buildable, c.line_key, c._ingest, c._row, c._sheet,
    'block ' || n.block || ': ' || figure(b.buildable) || coalesce(' of ' || figure(n.planned), '') || coalesce(
        '; least of ' || c.part_number || ', ' || figure(c.on_site) || ' of ' || figure(c.needed) || ' there', '') AS note
FROM core.buildable b
JOIN core.settings p ON p.as_of = b.day
JOIN core.systems s ON s.system_key = b.system_key
JOIN core.block_needs n ON n.system_key = b.system_key AND n.block_key = b.block_key
LEFT JOIN (
    SELECT * FROM core.short_lines
    QUALIFY row_number() OVER (PARTITION BY system_key, block_key ORDER BY on_site / needed, line_key) = 1
) c ON c.system_key = b.system_key AND c.block_key = b.block_key
