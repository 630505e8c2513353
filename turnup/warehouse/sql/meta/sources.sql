-- table: meta.sources
-- grain: one row is one source of programme.yaml, with the age of its newest delivery in force
-- key: source
-- A returned send-back is no delivery of its own: it renews nothing, but its rows count for those they correct. A row
-- that its sender withdrew counts as not delivered.
WITH settled AS (
    SELECT
        source, corrects AS sha256,
        count(DISTINCT (of_sheet, of_row)) FILTER (outcome = 'corrected' AND was_refused) AS corrected,
        count(DISTINCT (of_sheet, of_row)) FILTER (outcome = 'withdrawn' AND was_refused) AS withdrawn,
        count(DISTINCT (of_sheet, of_row)) FILTER (outcome = 'withdrawn' AND NOT was_refused) AS taken_back
    FROM landed.returned_rows
    GROUP BY ALL
),
counted AS (
    SELECT
        d.source, max_by(d.path, (d.received_at, d.path)) AS file, max(i.exported_at) AS exported_at,
        max(d.received_at) AS received_at,
        sum(l.rows_read - coalesce(s.withdrawn + s.taken_back, 0))::BIGINT AS rows_read,
        sum(l.accepted + coalesce(s.corrected - s.taken_back, 0))::BIGINT AS accepted,
        sum(l.quarantined - coalesce(s.corrected + s.withdrawn, 0))::BIGINT AS quarantined,
        sum(coalesce(s.corrected, 0))::BIGINT AS corrected
    FROM landed.deliveries AS d
    JOIN meta.ingests AS i USING (_ingest)
    JOIN landed._ledger AS l ON l._ingest = d._ingest AND l._batch = d._batch
    LEFT JOIN settled AS s ON s.source = d.source AND s.sha256 = d.sha256
    WHERE d.in_force AND d.corrects = ''
    GROUP BY d.source
),
attempted AS (
    SELECT source, max(received_at) AS tried_at FROM landed.deliveries WHERE corrects = '' GROUP BY source
),
aged AS (
    SELECT c.*, date_diff('minute', c.exported_at, w.cut_off) / 1440.0 AS age
    FROM counted AS c, meta.week AS w
)
SELECT
    s.source, s.dataset, s.owner, s.required, s.files, s.expected, s.max_age_days, c.file, c.exported_at, s.exported_basis, c.received_at,
    round(c.age, 1) AS age_days,
    coalesce(c.rows_read, 0) AS rows_read,
    coalesce(c.accepted, 0) AS accepted,
    coalesce(c.quarantined, 0) AS quarantined,
    coalesce(c.corrected, 0) AS corrected,
    a.tried_at,
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
