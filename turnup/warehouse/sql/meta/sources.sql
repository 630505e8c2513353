-- table: meta.sources
-- grain: one row is one source of programme.yaml, with the age of its newest delivery in force
-- key: source
WITH counted AS (
    SELECT
        d.source, max_by(d.path, (d.received_at, d.path)) AS file, max(i.exported_at) AS exported_at,
        max(d.received_at) AS received_at, sum(l.rows_read)::BIGINT AS rows_read,
        sum(l.accepted)::BIGINT AS accepted, sum(l.quarantined)::BIGINT AS quarantined
    FROM landed.deliveries AS d
    JOIN meta.ingests AS i USING (_ingest)
    JOIN landed._ledger AS l ON l._ingest = d._ingest AND l._batch = d._batch
    WHERE d.in_force
    GROUP BY d.source
),
attempted AS (
    SELECT source, max(received_at) AS tried_at FROM landed.deliveries GROUP BY source
),
aged AS (
    SELECT c.*, date_diff('minute', c.exported_at, w.cut_off) / 1440.0 AS age
    FROM counted AS c, meta.week AS w
)
SELECT
    s.source, s.dataset, s.owner, s.required, s.max_age_days, c.file, c.exported_at, s.exported_basis, c.received_at,
    round(c.age, 1) AS age_days,
    coalesce(c.rows_read, 0) AS rows_read,
    coalesce(c.accepted, 0) AS accepted,
    coalesce(c.quarantined, 0) AS quarantined,
    CASE
        WHEN c.source IS NULL AND a.source IS NULL THEN 'missing'
        WHEN c.source IS NULL THEN 'rejected'
        WHEN c.age > s.max_age_days THEN 'stale'
        ELSE 'fresh'
    END AS state,
    coalesce(a.tried_at > c.received_at, false) AS newer_rejected
FROM landed.sources AS s
LEFT JOIN aged AS c USING (source)
LEFT JOIN attempted AS a USING (source)
ORDER BY s.source
