-- table: mart.playbook_changes
-- grain: one row is a criterion that is judged otherwise than a week before, or a new version that changes none
-- key: playbook, gate, criterion
-- is_silent: the criterion changed and the version did not.
WITH before AS (
    SELECT h.* FROM past_playbook_criteria h JOIN core.settings p ON h.week = p.previous_week
),
versions AS (
    SELECT n.playbook, n.version, b.version AS version_before
    FROM (SELECT DISTINCT playbook, version FROM mart.playbook_criteria) n
    JOIN (SELECT playbook, min(version) AS version FROM before GROUP BY playbook) b ON b.playbook = n.playbook
),
differing AS (
    SELECT
        coalesce(n.playbook, b.playbook) AS playbook,
        coalesce(n.gate, b.gate) AS gate,
        coalesce(n.criterion, b.criterion) AS criterion,
        CASE WHEN b.rule IS NULL THEN 'added' WHEN n.rule IS NULL THEN 'removed' ELSE 'changed' END AS change,
        b.rule AS rule_before,
        n.rule
    FROM mart.playbook_criteria n
    FULL JOIN before b ON b.playbook = n.playbook AND b.gate = n.gate AND b.criterion = n.criterion
    WHERE n.rule IS DISTINCT FROM b.rule
),
systems AS (SELECT playbook, count(*) AS systems FROM core.systems GROUP BY playbook)
SELECT
    v.playbook,
    v.version_before,
    v.version,
    coalesce(d.gate, '*') AS gate,
    coalesce(d.criterion, '*') AS criterion,
    coalesce(d.change, 'version') AS change,
    d.rule_before,
    d.rule,
    d.change IS NOT NULL AND v.version = v.version_before AS is_silent,
    coalesce(s.systems, 0) AS systems
FROM versions v
LEFT JOIN differing d ON d.playbook = v.playbook
LEFT JOIN systems s ON s.playbook = v.playbook
WHERE d.change IS NOT NULL OR v.version <> v.version_before
