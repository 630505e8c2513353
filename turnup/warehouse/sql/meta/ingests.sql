-- table: meta.ingests
-- grain: one row is one way of reading one file content, with the newest delivery of it
-- key: _ingest
WITH dated AS (
    SELECT
        d.*, exported_basis,
        -- The export time is a date in the file's name where the source declares so, else the time of receipt.
        coalesce(
            CASE WHEN exported_basis = 'file_name' THEN try_strptime(
                regexp_extract(file, '(\d{4}-\d{2}-\d{2}|\d{8})', 1), ['%Y-%m-%d', '%Y%m%d'])
            END,
            received_at) AS exported
    FROM landed.deliveries AS d
    JOIN landed.sources USING (source, dataset, owner)
),
corrected AS (
    SELECT source, sha256 AS corrects, max(exported) AS exported FROM dated WHERE corrects = '' GROUP BY ALL
)
SELECT
    _ingest,
    max_by(path, (received_at, path)) AS file,
    any_value(sha256) AS sha256,
    max_by(source, (received_at, path, source)) AS source,
    any_value(dataset) AS dataset,
    max_by(owner, (received_at, path, source)) AS owner,
    max(received_at) AS received_at,
    -- A corrected row says what was so when its file was exported.
    max(coalesce(c.exported, dated.exported)) AS exported_at,
    any_value(mode) AS mode
FROM dated
LEFT JOIN corrected AS c USING (source, corrects)
GROUP BY _ingest
ORDER BY _ingest
