-- table: meta.ingests
-- grain: one row is one way of reading one file content, with the newest delivery of it
-- key: _ingest
SELECT
    _ingest,
    max_by(path, (received_at, path)) AS file,
    any_value(sha256) AS sha256,
    max_by(source, (received_at, path, source)) AS source,
    any_value(dataset) AS dataset,
    max_by(owner, (received_at, path, source)) AS owner,
    max(received_at) AS received_at,
    -- The export time is a date in the file's name where the source declares so, else the time of receipt.
    max(coalesce(
        CASE WHEN exported_basis = 'file_name' THEN try_strptime(
            regexp_extract(file, '(\d{4}-\d{2}-\d{2}|\d{8})', 1), ['%Y-%m-%d', '%Y%m%d'])
        END,
        received_at)) AS exported_at,
    any_value(mode) AS mode
FROM landed.deliveries
JOIN landed.sources USING (source, dataset, owner)
GROUP BY _ingest
ORDER BY _ingest
