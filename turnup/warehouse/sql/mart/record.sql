-- table: mart.record
-- grain: one row is a scope ("all", or a kind) with our record of past P80 dates
-- key: scope
-- A forecast is closed when its line is reached; it counts with the last P80 issued at least 28 days before that day.
WITH closed AS (
    SELECT contract, line, phase, kind, complete_on FROM mart.commitments WHERE complete_on IS NOT NULL
),
judged AS (
    SELECT c.kind, c.complete_on, arg_max(h.p80, h.week) AS p80
    FROM closed c
    JOIN past_commitments h ON h.contract = c.contract AND h.line = c.line AND h.phase = c.phase
    JOIN past_weeks w ON w.week = h.week AND w.as_of <= c.complete_on - 28
    WHERE h.p80 IS NOT NULL AND h.complete_on IS NULL
    GROUP BY c.kind, c.contract, c.line, c.phase, c.complete_on
)
SELECT
    coalesce(kind, 'all') AS scope,
    count(p80)::INTEGER AS closed_forecasts,
    (count(*) FILTER (complete_on <= p80))::INTEGER AS held
FROM judged
GROUP BY GROUPING SETS ((), (kind))
