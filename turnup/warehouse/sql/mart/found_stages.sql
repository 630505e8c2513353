-- table: core.found_stages
-- grain: one row is a system and a stage that units skipped
-- key: code, subject
-- A unit skips a stage when it has the evidence of a later stage and not of this one. Received has its own code.
WITH skipped AS (
    SELECT
        u.system_key, u.stage_no, u.stage, u.unit_id, u.quantity, u.dataset, u._ingest, u._row, u._sheet,
        max(CASE WHEN u.applicable AND u.has THEN u.stage_no END) OVER (PARTITION BY u.system_key, u.unit_key) AS last_stage,
        NOT coalesce(u.has, false) AND u.applicable AS missing
    FROM core.unit_stages u
    WHERE u.stage <> 'handed_over' OR u.has
),
counted AS (
    SELECT
        system_key, stage_no, stage, count(*) AS units, sum(quantity) AS quantity, min(unit_id) AS example,
        min(last_stage) AS reached_from, max(last_stage) AS reached_to,
        arg_min_null(dataset, (_ingest, _row)) AS dataset, arg_min_null(_ingest, (_ingest, _row)) AS _ingest,
        arg_min_null(_row, (_ingest, _row)) AS _row, arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM skipped WHERE missing AND last_stage > stage_no GROUP BY ALL
)
SELECT
    CASE c.stage WHEN 'received' THEN 'installed_without_receipt' ELSE 'stage_skipped' END AS code,
    'warning' AS severity, c.dataset, c.system_key,
    s.system_id || ' ' || c.stage AS subject, c._ingest, c._row, c._sheet,
    c.units || ' units of ' || s.system_id || ' (' || figure(c.quantity) || ' ' || s.unit || ', for example ' || c.example
        || ') have later evidence but none of ' || replace(c.stage, '_', ' ') AS message
FROM counted c JOIN core.systems s ON s.system_key = c.system_key
