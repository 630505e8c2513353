-- table: mart.raid
-- grain: one row is a risk, issue, action, decision, change or waiver that is open or was closed in the reporting week
-- key: id
-- is_unowned: open, and not reviewed in time or owned by no person; owner_fault says what the owner is instead.
SELECT
    r.* EXCLUDE (system_id_key, file_before, row_before, _ingest, _row, _sheet),
    r.system_id_key AS system_key,
    (p.as_of - r.opened)::INTEGER AS age_days,
    r.closed IS NULL AND coalesce(r.reviewed, r.opened) < p.as_of - p.review_days AS not_reviewed,
    past.id IS NULL AND r.opened > p.as_of - 7 AS is_new,
    r.closed IS NULL AND coalesce(coalesce(r.due, r.needed_by) < p.as_of, false) AS is_overdue,
    r.closed IS NOT NULL AS is_closed,
    coalesce(i.file, r.file_before) AS file,
    coalesce(r._row, r.row_before) AS "row",
    f.fault AS owner_fault,
    r.closed IS NULL
        AND (f.fault IS NOT NULL OR coalesce(r.reviewed, r.opened) < p.as_of - p.review_days) AS is_unowned
FROM core.raid_items r
CROSS JOIN core.settings p
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = r._ingest
LEFT JOIN past_raid past ON past.week = p.previous_week AND past.id = r.id
LEFT JOIN core.owner_faults f ON f.owner = r.owner
WHERE r.opened <= p.as_of AND (r.closed IS NULL OR r.closed > p.as_of - 7)
