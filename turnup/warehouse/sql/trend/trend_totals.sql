-- table: mart.trend_totals
-- grain: one row is a series of figures and its scope (a kind, or empty for the programme), as known at the cut-off
-- key: series, scope
-- total: cumulative counts and capacities, levels, or what happened in the week, as turnup/trend/series.yaml says of the
-- series; weight: of a share the cases it is of. watched: no dataset behind it is stale or gone, so that the figure is
-- whole; a week that was not watched has no figure, never a low one.
WITH unfit AS (
    SELECT DISTINCT dataset FROM meta.sources WHERE state IN ('stale', 'rejected')
),
systems AS (SELECT system_key, kind FROM core.systems),
stage_sources AS (
    SELECT s.kind, u.stage, bool_or(x.dataset IS NOT NULL) AS stale
    FROM (SELECT DISTINCT system_key, stage, dataset FROM core.unit_stages WHERE applicable) u
    JOIN systems s ON s.system_key = u.system_key
    LEFT JOIN unfit x ON x.dataset = u.dataset
    GROUP BY s.kind, u.stage
),
stages AS (
    SELECT f.stage AS series, f.kind AS scope, sum(f.reached) AS total, 0 AS weight, NOT coalesce(any_value(g.stale), false) AS watched
    FROM mart.funnel f
    LEFT JOIN stage_sources g ON g.kind = f.kind AND g.stage = f.stage
    WHERE f.applicable AND f.stage IN ('received', 'installed', 'l1_valid', 'accepted', 'handed_over', 'schedulable')
    GROUP BY f.stage, f.kind
),
attempts AS (
    SELECT a.gate, s.kind, count(*) AS finished, count(*) FILTER (a.passed) AS passed
    FROM core.first_attempts a JOIN systems s ON s.system_key = a.system_key
    GROUP BY a.gate, s.kind
),
yields AS (
    SELECT
        CASE gate WHEN 'acceptance' THEN 'acceptance_yield' ELSE 'bring_up_yield' END AS series, kind AS scope,
        passed AS total, finished AS weight,
        NOT EXISTS (
            SELECT 1 FROM unfit
            WHERE dataset IN ('installs', 'failures') AND gate <> 'acceptance' OR dataset = 'benchmarks' AND gate = 'acceptance'
        ) AS watched
    FROM attempts
),
steps AS (
    SELECT
        step AS series, '' AS scope, count(*) AS total, 0 AS weight,
        NOT EXISTS (SELECT 1 FROM unfit WHERE dataset = 'installs') AS watched
    FROM core.install_steps WHERE step IN ('racked', 'provisioned') GROUP BY step
),
passed AS (
    SELECT a.system_key, a.unit_key, s.kind, a.ended_on FROM core.first_attempts a JOIN systems s ON s.system_key = a.system_key
    WHERE a.gate = 'acceptance' AND a.passed
),
faults AS (
    SELECT
        'faults_after_acceptance' AS series, p.kind AS scope,
        count(DISTINCT f.failure_key) FILTER (f.opened > p.ended_on) AS total, 0 AS weight,
        NOT EXISTS (SELECT 1 FROM unfit WHERE dataset IN ('failures', 'benchmarks')) AS watched
    FROM passed p LEFT JOIN core.unit_failures f ON f.system_key = p.system_key AND f.unit_key = p.unit_key
    WHERE EXISTS (SELECT 1 FROM stg.failures)
    GROUP BY p.kind
),
actions AS (
    SELECT
        'actions_closed' AS series, '' AS scope, count(*) FILTER (r.closed IS NOT NULL) AS total, 0 AS weight,
        NOT EXISTS (SELECT 1 FROM unfit WHERE dataset = 'raid') AS watched
    FROM core.raid_items r WHERE r.type = 'action' HAVING count(*) > 0
),
reopened AS (
    SELECT
        'actions_reopened' AS series, '' AS scope,
        count(DISTINCT r.id_key) FILTER (b.closed IS NOT NULL AND r.closed IS NULL) AS total, 0 AS weight,
        NOT EXISTS (SELECT 1 FROM unfit WHERE dataset = 'raid') AS watched
    FROM core.raid_items r
    CROSS JOIN core.settings p
    LEFT JOIN past_raid b ON b.id_key = r.id_key AND b.week = p.previous_week
    WHERE r.type = 'action' HAVING count(*) > 0
),
kinds AS (
    SELECT 'withdrawn' AS series, kind AS scope, abs(withdrawn) AS total, 0 AS weight, true AS watched FROM mart.change
    UNION ALL
    SELECT 'waived', kind, waived_quantity, 0, true FROM mart.classes
)
SELECT
    series, scope, total::DECIMAL(18, 3) AS total, weight::DECIMAL(18, 3) AS weight, watched
FROM (
    SELECT * FROM stages
    UNION ALL SELECT * FROM yields
    UNION ALL SELECT * FROM steps
    UNION ALL SELECT * FROM faults
    UNION ALL SELECT * FROM actions
    UNION ALL SELECT * FROM reopened
    UNION ALL SELECT * FROM kinds
)
