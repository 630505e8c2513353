-- table: core.unit_changes
-- grain: one row is a unit of a system whose schedulable capacity is not what it was the week before
-- key: system_key, unit_key
-- A unit that another system of the kind had is a transfer, both ways by the same quantity. A change is one of
-- definition where what defines the stage that decided it changed and the unit's own row is no newer than the week
-- before. The last stage is the user's own evidence, which no playbook defines.
WITH before AS (
    SELECT h.* FROM past_unit_states h JOIN core.settings p ON h.week = p.previous_week
),
changed AS (
    SELECT
        s.kind,
        s.system_key,
        coalesce(n.unit_key, b.unit_key) AS unit_key,
        coalesce(n.unit_id, b.unit_id) AS unit_id,
        coalesce(n.identity, b.identity) AS identity,
        coalesce(n.capacity, 0) - coalesce(b.capacity, 0) AS delta,
        n.unit_key IS NULL AS is_absent,
        coalesce(n.held_at, b.held_at, 'schedulable') AS stage,
        n.held_at,
        n.loss,
        n.note,
        b.note AS note_before,
        coalesce(n.dataset, b.dataset) AS dataset,
        coalesce(n.file, b.file) AS file,
        CASE WHEN n.unit_key IS NULL THEN b.sheet ELSE n.sheet END AS sheet,
        CASE WHEN n.unit_key IS NULL THEN b."row" ELSE n."row" END AS "row"
    FROM mart.unit_states n
    FULL JOIN before b ON b.system_key = n.system_key AND b.unit_key = n.unit_key
    JOIN core.change_systems s ON s.system_key = coalesce(n.system_key, b.system_key) AND s.has_units
    WHERE coalesce(n.capacity, 0) <> coalesce(b.capacity, 0)
),
moved AS (
    SELECT l.system_key AS from_key, l.unit_key AS from_unit, c.system_key AS to_key, c.unit_key AS to_unit,
        least(-l.delta, c.delta) AS quantity
    FROM changed l
    JOIN changed c ON c.identity = l.identity AND c.kind = l.kind AND c.system_key <> l.system_key
    WHERE l.delta < 0 AND l.is_absent AND c.delta > 0
    QUALIFY row_number() OVER (PARTITION BY l.system_key, l.unit_key ORDER BY c.system_key, c.unit_key) = 1
        AND row_number() OVER (PARTITION BY c.system_key, c.unit_key ORDER BY l.system_key, l.unit_key) = 1
),
elsewhere AS (
    SELECT identity, min_by(system_id, system_key) AS system_id, min_by(held_at, system_key) AS held_at
    FROM mart.unit_states WHERE held_at IS NOT NULL GROUP BY identity
)
SELECT
    c.* EXCLUDE (note_before, identity, is_absent),
    coalesce(g.quantity, 0) - coalesce(a.quantity, 0) AS transferred,
    coalesce(ga.system_id, ca.system_id) AS other_system,
    coalesce(g.from_key, a.to_key) AS other_key,
    CASE
        WHEN c.stage = 'schedulable' THEN coalesce(
            concat_ws(' ', c.note, c.note_before) SIMILAR TO '.*(not yet continuous|snapshot too old).*' AND EXISTS (
                SELECT 1 FROM mart.definition_changes WHERE name IN ('first_hours', 'snapshot_hours')), false)
        ELSE (s.is_redefined OR c.stage = 'accepted' AND EXISTS (
                SELECT 1 FROM mart.definition_changes WHERE what IN ('acceptance limit', 'acceptance rule')))
            AND NOT c.is_absent AND coalesce(w.observed_at <= y.as_of + INTERVAL 1 DAY, true)
    END AS is_definition,
    CASE
        WHEN c.delta > 0 AND c.held_at IS NULL THEN 'became schedulable'
        WHEN c.is_absent AND x.identity IS NOT NULL
            THEN 'moved to ' || x.system_id || ', held there at ' || replace(x.held_at, '_', ' ')
        WHEN c.is_absent THEN 'no longer a unit of the system'
        WHEN c.held_at IS NULL THEN 'offers less'
        ELSE 'held at ' || replace(c.held_at, '_', ' ')
    END AS cause
FROM changed c
LEFT JOIN core.unit_stages w ON w.system_key = c.system_key AND w.unit_key = c.unit_key AND w.stage = c.stage
JOIN core.change_systems s ON s.system_key = c.system_key AND s.kind = c.kind
CROSS JOIN core.settings p
JOIN past_weeks y ON y.week = p.previous_week
LEFT JOIN moved g ON g.to_key = c.system_key AND g.to_unit = c.unit_key
LEFT JOIN core.change_systems ga ON ga.system_key = g.from_key AND ga.kind = c.kind
LEFT JOIN moved a ON a.from_key = c.system_key AND a.from_unit = c.unit_key
LEFT JOIN core.change_systems ca ON ca.system_key = a.to_key AND ca.kind = c.kind
LEFT JOIN elsewhere x ON x.identity = c.identity AND c.is_absent
