-- table: meta.ledger
-- grain: one row is one delivery as taken by one source, with every line of its file accounted for
-- key: delivery_id, source
SELECT
    d.delivery_id, d.source, d.dataset, d.path AS file, d.sha256, d.received_at, l.format, l.status,
    l.lines, l.data, l.header, l.title, l.footer, l.comment, l.blank, l.total, l.other, l.rejected,
    l.rows_read, l.accepted, l.quarantined,
    l.rows_read = l.accepted + l.quarantined
        AND l.lines = l.data + l.header + l.title + l.footer + l.comment + l.blank + l.total + l.other + l.rejected
        AS balanced,
    d.in_force, d.in_window, d.owner, d._ingest
FROM landed.deliveries AS d
JOIN landed._ledger AS l USING (_ingest, _batch)
ORDER BY d.received_at, d.path, d.source
