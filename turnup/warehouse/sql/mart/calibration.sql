-- table: mart.calibration
-- grain: one row is a scope ("all", or a kind) and how many days before the forecasts were issued
-- key: scope, lead_days
-- Gates that have passed are scored with the last forecast issued so long before. A gate is seen to pass on a data date, so
-- a forecast date holds when the first data date on or after it shows the gate passed; a P80 beyond the horizon holds.
-- The Brier score is of the odds of contract dates that are known to have been kept or not: the mean square of odds less
-- outcome, 0 is best, 0.25 is what "fifty-fifty" always gets. enough: ten cases or more.
WITH leads AS (SELECT unnest([28, 56]) AS lead_days),
scopes AS (
    SELECT 'all' AS scope UNION ALL SELECT DISTINCT kind FROM core.systems
),
issued AS (
    SELECT
        s.kind, l.lead_days, g.passed_on,
        arg_max(h.p50, h.week) AS p50,
        arg_max_null(h.p80, h.week) AS p80
    FROM mart.gates g
    JOIN core.systems s ON s.system_key = g.system_key
    CROSS JOIN leads l
    JOIN past_gate_forecasts h
        ON h.system_key = g.system_key AND h.block = g.block AND h.gate = g.gate AND h.p50 IS NOT NULL
    JOIN past_weeks w ON w.week = h.week AND w.as_of <= g.passed_on - l.lead_days
    WHERE g.state IN ('passed', 'waived')
    GROUP BY g.system_key, g.block, g.gate, s.kind, l.lead_days, g.passed_on
),
gates AS (
    SELECT
        coalesce(kind, 'all') AS scope, lead_days,
        count(*) AS gates,
        count(*) FILTER (passed_on < p50 + 7) AS p50_held,
        count(*) FILTER (p80 IS NULL OR passed_on < p80 + 7) AS p80_held
    FROM issued GROUP BY GROUPING SETS ((lead_days), (kind, lead_days))
),
promised AS (
    SELECT
        c.kind, l.lead_days,
        coalesce(c.complete_on <= c.contract_date, false) AS kept,
        arg_max(h.confidence, h.week)::DOUBLE AS odds
    FROM mart.commitments c
    CROSS JOIN core.settings p
    CROSS JOIN leads l
    JOIN past_commitments h
        ON h.contract = c.contract AND h.line = c.line AND h.phase = c.phase AND h.contract_date = c.contract_date
        AND h.confidence IS NOT NULL AND h.complete_on IS NULL
    JOIN past_weeks w ON w.week = h.week AND w.as_of <= c.contract_date - l.lead_days
    WHERE c.contract_date < p.as_of OR c.complete_on IS NOT NULL
    GROUP BY c.contract, c.line, c.phase, c.kind, l.lead_days, c.complete_on, c.contract_date
),
dates AS (
    SELECT
        coalesce(kind, 'all') AS scope, lead_days,
        count(*) AS dates,
        avg((odds - kept::INTEGER) ** 2) AS brier
    FROM promised GROUP BY GROUPING SETS ((lead_days), (kind, lead_days))
)
SELECT
    s.scope,
    l.lead_days::INTEGER AS lead_days,
    coalesce(g.gates, 0)::INTEGER AS gates,
    coalesce(g.p50_held, 0)::INTEGER AS p50_held,
    coalesce(g.p80_held, 0)::INTEGER AS p80_held,
    coalesce(g.gates, 0) >= 10 AS enough,
    coalesce(d.dates, 0)::INTEGER AS dates,
    round(d.brier, 4)::DECIMAL(6, 4) AS brier,
    coalesce(d.dates, 0) >= 10 AS dates_enough
FROM scopes s
CROSS JOIN leads l
LEFT JOIN gates g ON g.scope = s.scope AND g.lead_days = l.lead_days
LEFT JOIN dates d ON d.scope = s.scope AND d.lead_days = l.lead_days
