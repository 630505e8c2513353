-- table: mart.link_rework
-- grain: one row is a job for a technician, numbered as one walks: site, hall, row, rack, height, port
-- key: step
SELECT
    row_number() OVER (
        ORDER BY p.site_id NULLS LAST, as_walked(p.hall) NULLS LAST, as_walked(p."row") NULLS LAST,
            as_walked(p.rack) NULLS LAST, p.height NULLS LAST, as_walked(w.device), as_walked(w.port), w.low_end,
            w.high_end
    ) AS step,
    p.site_id,
    p.hall,
    p."row",
    p.rack,
    p."position",
    w.device,
    w.port,
    w.fault,
    w.task,
    w.far_device,
    w.far_port,
    q.rack AS far_rack,
    q."position" AS far_position,
    s.system_id,
    i.file,
    w._row AS file_row
FROM core.link_rework w
LEFT JOIN core.link_places_walked p ON p.name = w.go_to
LEFT JOIN core.link_places_walked q ON q.name = w.far_name
LEFT JOIN core.systems s ON s.system_key = w.system_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = w._ingest
