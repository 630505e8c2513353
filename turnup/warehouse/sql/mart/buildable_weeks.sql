-- table: mart.buildable_weeks
-- grain: one row is a block and a week from whose end more of it can be built; the first is now
-- key: system_key, block, day
SELECT
    b.system_key, s.system_id, n.block, n.block_no::INTEGER AS block_no, s.unit, strftime(b.day, '%G-W%V') AS from_week, b.day,
    b.buildable, n.planned
FROM core.buildable b
JOIN core.block_needs n ON n.system_key = b.system_key AND n.block_key = b.block_key
JOIN core.systems s ON s.system_key = b.system_key
