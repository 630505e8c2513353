-- table: core.found_stages
-- grain: one row is a unit that skipped stages, or a system in which more units did than the programme wants listed
-- key: code, item
-- A unit skips a stage when it has the evidence of a later stage and not of this one; the decision on its block is no
-- evidence of the unit itself, and sessions come up in the course of turn-up. Received has its own code.
WITH marked AS (
    SELECT
        u.*,
        CASE u.stage WHEN 'received' THEN 'installed_without_receipt' ELSE 'stage_skipped' END AS code,
        max(CASE WHEN u.applicable AND u.has AND u.stage <> 'handed_over' AND u.dataset <> 'sessions'
            THEN u.stage_no END) OVER (
            PARTITION BY u.system_key, u.unit_key
        ) AS last_stage
    FROM core.unit_stages u
),
skipped AS (
    SELECT
        m.code, m.system_key, m.unit_key, any_value(n.asset_id) AS asset_id, any_value(m.unit_id) AS unit_id,
        max(m.last_stage) AS last_stage,
        string_agg(replace(m.stage, '_', ' '), ', ' ORDER BY m.stage_no) AS stages,
        first(m.note ORDER BY m.stage_no) AS note,
        any_value(m.quantity) AS quantity,
        first(m.dataset ORDER BY m.stage_no) AS dataset,
        first(m._ingest ORDER BY m.stage_no) AS _ingest,
        first(m._row ORDER BY m.stage_no) AS _row,
        first(m._sheet ORDER BY m.stage_no) AS _sheet
    FROM marked m
    LEFT JOIN (SELECT asset_id_key, min(asset_id) AS asset_id FROM stg.installs GROUP BY ALL) n
        ON n.asset_id_key = m.unit_key
    WHERE m.applicable AND NOT m.counts AND m.last_stage > m.stage_no
    GROUP BY m.code, m.system_key, m.unit_key
),
counted AS (SELECT *, count(*) OVER (PARTITION BY code, system_key) AS units FROM skipped),
last AS (SELECT DISTINCT stage_no, stage_title FROM core.kind_stages)
SELECT
    c.code,
    'warning' AS severity,
    c.dataset,
    c.system_key,
    CASE c.code WHEN 'installed_without_receipt' THEN coalesce(c.asset_id, c.unit_id) ELSE c.unit_id END AS subject,
    c.system_key || '/' || c.unit_key AS item,
    c._ingest,
    c._row,
    c._sheet,
    c.unit_id || ' has evidence of ' || last.stage_title || ' but not of ' || c.stages || coalesce(' (' || c.note
        || ')', '') AS message
FROM counted c
JOIN last ON last.stage_no = c.last_stage
CROSS JOIN core.settings p
WHERE c.units <= p.late_listed
UNION ALL
SELECT
    c.code, 'warning', min(c.dataset), c.system_key, s.system_id, c.system_key, NULL, NULL, NULL,
    c.units || ' units of ' || s.system_id || ' (' || figure(sum(c.quantity)) || ' ' || s.unit
        || ') have later evidence but miss an earlier stage, for example ' || min(c.unit_id) || ': '
            || arg_min(c.stages, c.unit_id)
FROM counted c
JOIN core.systems s ON s.system_key = c.system_key
CROSS JOIN core.settings p
WHERE c.units > p.late_listed
GROUP BY c.code, c.system_key, c.units, s.system_id, s.unit
