-- table: mart.quarter_ends
-- grain: one row is a kind at one of the next three quarter ends
-- key: kind, quarter_end
-- p50 and p80: the quantity that 50 and 80 % of the runs reach by the last week end on or before the quarter end.
WITH ends AS (
    SELECT (date_trunc('quarter', as_of) + to_months(3 * n::INTEGER) - to_days(1))::DATE AS quarter_end
    FROM core.settings, range(1, 6) t(n)
    WHERE (date_trunc('quarter', as_of) + to_months(3 * n::INTEGER) - to_days(1))::DATE > as_of
    ORDER BY 1 LIMIT 3
),
due AS (
    SELECT c.kind, e.quarter_end, c.unit, coalesce(sum(l.quantity), 0) AS due
    FROM mart.classes c
    CROSS JOIN ends e
    LEFT JOIN core.commitment_lines l ON l.kind = c.kind AND l.contract_date <= e.quarter_end
    GROUP BY ALL
)
SELECT
    d.kind,
    d.unit,
    d.quarter_end,
    d.due::DECIMAL(18, 3) AS due,
    (SELECT arg_max(c.quantity, c.week_end) FROM core.curves c WHERE c.kind = d.kind AND c.series = 'p50'
        AND c.week_end <= d.quarter_end) AS p50,
    (SELECT arg_max(c.quantity, c.week_end) FROM core.curves c WHERE c.kind = d.kind AND c.series = 'p80'
        AND c.week_end <= d.quarter_end) AS p80
FROM due d
