-- table: meta.deliveries
-- grain: one row is one delivery received before the cut-off, as taken by one source for one content it corrects
-- key: delivery_id, source, corrects
SELECT * EXCLUDE (arrival_no) FROM landed.deliveries ORDER BY received_at, path, source, corrects
