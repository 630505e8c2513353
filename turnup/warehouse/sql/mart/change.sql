-- table: mart.change
-- grain: one row is a kind
-- key: kind
-- opening + flow_in - withdrawn + transfer + restated + scope + definition = closing. Opening is the week before as
-- issued first; what a restatement made of it since is restated. Transfers between systems of a kind net to zero. In
-- the first week opening is closing.
WITH now AS (
    SELECT s.kind, any_value(s.unit) AS unit, sum(f.reached) AS closing
    FROM core.systems s JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable' GROUP BY s.kind
),
before AS (
    SELECT h.kind, any_value(h.unit) AS unit, sum(h.schedulable) AS opening
    FROM issued_systems h JOIN core.settings p ON h.week = p.previous_week GROUP BY h.kind
),
parts AS (
    SELECT
        kind,
        sum(quantity) FILTER (component = 'flow_in') AS flow_in,
        -sum(quantity) FILTER (component = 'withdrawn') AS withdrawn,
        sum(quantity) FILTER (component = 'transfer') AS transfer,
        sum(quantity) FILTER (component = 'restated') AS restated,
        sum(quantity) FILTER (component = 'scope') AS scope,
        sum(quantity) FILTER (component = 'definition') AS definition
    FROM mart.change_rows GROUP BY kind
)
SELECT
    coalesce(n.kind, b.kind) AS kind,
    coalesce(n.unit, b.unit) AS unit,
    CASE WHEN EXISTS (SELECT 1 FROM before) THEN coalesce(b.opening, 0)
        ELSE coalesce(n.closing, 0) END::DECIMAL(18, 3) AS opening,
    coalesce(p.flow_in, 0)::DECIMAL(18, 3) AS flow_in,
    coalesce(p.withdrawn, 0)::DECIMAL(18, 3) AS withdrawn,
    coalesce(p.transfer, 0)::DECIMAL(18, 3) AS transfer,
    coalesce(p.restated, 0)::DECIMAL(18, 3) AS restated,
    coalesce(p.scope, 0)::DECIMAL(18, 3) AS scope,
    coalesce(p.definition, 0)::DECIMAL(18, 3) AS definition,
    coalesce(n.closing, 0)::DECIMAL(18, 3) AS closing
FROM now n
FULL JOIN before b ON b.kind = n.kind
LEFT JOIN parts p ON p.kind = coalesce(n.kind, b.kind)
