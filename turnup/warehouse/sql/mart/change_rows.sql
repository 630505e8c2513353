-- table: mart.change_rows
-- grain: one row is a part of a system's change of schedulable capacity since the week before, as issued
-- key: kind, system_id, component
-- Scope is what the cap of the commitment explains: new cap against old cap at today's capacity. The rest is flow
-- (in, or withdrawn), or definition when the system's playbook changed. In the first week there is nothing to compare
-- with.
WITH pairs AS (
    SELECT
        coalesce(s.kind, past.kind) AS kind,
        coalesce(s.unit, past.unit) AS unit,
        coalesce(s.system_id, past.system_id) AS system_id,
        coalesce(now.reached, 0) AS closing,
        coalesce(past.schedulable, 0) AS opening,
        CASE WHEN now.reached < now.contracted THEN now.reached ELSE now.reached + now.excess END AS capacity,
        coalesce(past.contracted, 0) AS cap_before,
        s.system_key IS NULL AS is_gone,
        past.system_key IS NULL AS is_new,
        past.playbook <> s.playbook AS is_redefined
    FROM (SELECT system_key, system_id, kind, unit, playbook || ' ' || playbook_version AS playbook FROM core.systems) s
    JOIN core.funnel now ON now.system_key = s.system_key AND now.stage = 'schedulable'
    FULL JOIN (SELECT h.* FROM past_systems h JOIN core.settings p ON h.week = p.previous_week) past
        ON past.system_key = s.system_key
),
split AS (
    SELECT
        *,
        CASE WHEN is_gone THEN 0 ELSE least(capacity, cap_before) - opening END AS moved,
        CASE WHEN is_gone THEN -opening ELSE closing - least(capacity, cap_before) END AS scope
    FROM pairs
    WHERE EXISTS (SELECT 1 FROM past_systems h JOIN core.settings p ON h.week = p.previous_week)
),
parts AS (
    SELECT kind, unit, system_id,
        CASE WHEN coalesce(is_redefined, false) THEN 'definition' WHEN moved > 0 THEN 'flow_in'
            ELSE 'withdrawn' END AS component,
        moved AS quantity,
        CASE
            WHEN coalesce(is_redefined, false) THEN 'the playbook changed'
            WHEN moved > 0 THEN 'became schedulable'
            ELSE 'no longer schedulable'
        END AS cause
    FROM split WHERE moved <> 0
    UNION ALL
    SELECT h.kind, h.unit, h.system_id, 'restated', coalesce(n.schedulable, 0) - h.schedulable,
        'the week before was restated'
    FROM issued_systems h
    JOIN core.settings p ON h.week = p.previous_week
    LEFT JOIN past_systems n ON n.week = h.week AND n.system_key = h.system_key
    WHERE coalesce(n.schedulable, 0) <> h.schedulable
    UNION ALL
    SELECT n.kind, n.unit, n.system_id, 'restated', n.schedulable, 'the week before was restated'
    FROM past_systems n
    JOIN core.settings p ON n.week = p.previous_week
    ANTI JOIN issued_systems h ON h.week = n.week AND h.system_key = n.system_key
    WHERE n.schedulable <> 0
    UNION ALL
    SELECT kind, unit, system_id, 'scope', scope,
        CASE WHEN is_gone THEN 'system left the programme' WHEN is_new THEN 'system joined the programme'
            ELSE 'commitment changed' END
    FROM split WHERE scope <> 0
)
SELECT kind, unit, system_id, component, quantity::DECIMAL(18, 3) AS quantity, cause,
    'schedulable of ' || system_id AS evidence
FROM parts
