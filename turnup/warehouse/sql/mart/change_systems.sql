-- table: core.change_systems
-- grain: one row is a system under a kind, this week or the week before: what changed, split into moved and scope
-- key: kind, system_key
-- Scope is what the cap of the commitment explains: new cap against old cap at today's capacity; the rest moved. A
-- system that left, joined or became another kind is all scope.
WITH past AS (SELECT h.* FROM past_systems h JOIN core.settings p ON h.week = p.previous_week),
pairs AS (
    SELECT
        coalesce(s.kind, past.kind) AS kind,
        coalesce(s.unit, past.unit) AS unit,
        coalesce(s.system_key, past.system_key) AS system_key,
        coalesce(s.system_id, past.system_id) AS system_id,
        s.playbook_id,
        coalesce(now.reached, 0) AS closing,
        coalesce(past.schedulable, 0) AS opening,
        coalesce(CASE WHEN now.reached < now.contracted THEN now.reached ELSE now.reached + now.excess END, 0)
            AS capacity,
        coalesce(past.contracted, 0) AS cap_before,
        s.system_key IS NULL AS is_gone,
        past.system_key IS NULL AS is_new,
        past.playbook AS playbook_before,
        s.playbook
    FROM (
        SELECT * REPLACE (playbook || ' ' || playbook_version AS playbook), playbook AS playbook_id FROM core.systems
    ) AS s
    JOIN core.funnel now ON now.system_key = s.system_key AND now.stage = 'schedulable'
    FULL JOIN past ON past.system_key = s.system_key AND past.kind = s.kind
),
redefined AS (
    SELECT subject, string_agg(name || ': ' || coalesce(now, 'none') || ' (was ' || coalesce(before, 'none') || ')',
        '; ' ORDER BY name) AS changes
    FROM mart.definition_changes WHERE what = 'criterion' GROUP BY subject
)
SELECT
    q.* EXCLUDE (playbook, playbook_before),
    NOT q.is_gone AND NOT q.is_new AND EXISTS (
        SELECT 1 FROM past_unit_states h JOIN core.settings p ON h.week = p.previous_week
    ) AS has_units,
    coalesce(q.playbook_before <> q.playbook, false) OR (d.subject IS NOT NULL AND NOT q.is_new) AS is_redefined,
    concat_ws(
        '; ',
        CASE WHEN q.playbook_before <> q.playbook THEN 'playbook ' || q.playbook_before || ' -> ' || q.playbook
            WHEN d.subject IS NOT NULL THEN 'playbook ' || q.playbook || ' edited' END,
        d.changes
    ) AS redefinition,
    CASE WHEN q.is_gone THEN 0 ELSE least(q.capacity, q.cap_before) - q.opening END AS moved,
    CASE WHEN q.is_gone THEN -q.opening ELSE q.closing - least(q.capacity, q.cap_before) END AS scope
FROM pairs q
LEFT JOIN redefined d ON d.subject = q.playbook_id
WHERE EXISTS (SELECT 1 FROM past)
