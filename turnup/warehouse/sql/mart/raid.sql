-- table: mart.raid
-- grain: one row is a risk, issue, action, decision, change or waiver that is open or was closed in the reporting week
-- key: id
SELECT
    r.* EXCLUDE (id_key, system_id_key, _ingest, _row, _sheet),
    (p.as_of - r.opened)::INTEGER AS age_days,
    r.closed IS NULL AND coalesce(r.reviewed, r.opened) < p.as_of - p.review_days AS not_reviewed,
    past.id IS NULL AND r.opened > p.as_of - 7 AS is_new,
    r.closed IS NULL AND coalesce(coalesce(r.due, r.needed_by) < p.as_of, false) AS is_overdue,
    r.closed IS NOT NULL AS is_closed,
    i.file,
    r._row AS "row"
FROM stg.raid r
CROSS JOIN core.settings p
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = r._ingest
LEFT JOIN past_raid past ON past.week = p.previous_week AND past.id = r.id
WHERE r.opened <= p.as_of AND (r.closed IS NULL OR r.closed > p.as_of - 7)
QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row) = 1
