-- table: meta.ledger
-- grain: one row is one delivery as taken by one source, with every line of its file accounted for
-- key: delivery_id, source, corrects
-- A returned send-back is counted once for each content that it corrects; open are the quarantined rows of a file that
-- no returned row has closed.
WITH settled AS (
    SELECT source, corrects AS sha256, count(DISTINCT (of_sheet, of_row)) AS closed
    FROM landed.returned_rows
    WHERE was_refused AND outcome IN ('corrected', 'withdrawn')
    GROUP BY ALL
)
SELECT
    d.delivery_id, d.source, d.dataset, d.path AS file, d.sha256, d.received_at, l.format, l.status,
    l.lines, l.data, l.header, l.title, l.footer, l.comment, l.blank, l.total, l.other, l.rejected,
    l.rows_read, l.accepted, l.quarantined,
    CASE WHEN d.corrects = '' THEN l.quarantined - coalesce(s.closed, 0) ELSE 0 END AS open,
    l.rows_read = l.accepted + l.quarantined
        AND l.lines = l.data + l.header + l.title + l.footer + l.comment + l.blank + l.total + l.other + l.rejected
        AS balanced,
    d.in_force, d.in_window, d.owner, d._ingest, d.corrects
FROM landed.deliveries AS d
JOIN landed._ledger AS l USING (_ingest, _batch)
LEFT JOIN settled AS s ON s.source = d.source AND s.sha256 = d.sha256 AND d.corrects = ''
ORDER BY d.received_at, d.path, d.source, d.corrects
