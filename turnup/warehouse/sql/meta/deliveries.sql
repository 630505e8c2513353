-- table: meta.deliveries
-- grain: one row is one delivery received before the cut-off, as taken by one source
-- key: delivery_id, source
SELECT * EXCLUDE (arrival_no) FROM landed.deliveries ORDER BY received_at, path, source
