-- table: mart.idle_weeks
-- grain: one row is a kind of system, a currency and a week: capacity paid for and not schedulable, and what it has cost
-- key: kind, currency, of_week
-- cost: since billing began, up to the end of the week, of lines whose unit cost is known; unpriced: lines paid for
-- without one. added: the cost of that week. A line that is schedulable again keeps what it has cost.
WITH lines AS (
    SELECT week AS of_week, kind, currency, idle_quantity, idle_days, idle_cost FROM past_commitments
    UNION ALL
    SELECT p.week, kind, currency, idle_quantity, idle_days, idle_cost FROM mart.commitments CROSS JOIN core.settings p
),
weeks AS (
    SELECT
        kind, coalesce(currency, '') AS currency, of_week,
        sum(idle_quantity) AS quantity,
        count(*) FILTER (idle_quantity > 0) AS lines,
        max(CASE WHEN idle_quantity > 0 THEN idle_days END) AS longest_days,
        sum(idle_cost) AS cost,
        count(*) FILTER (idle_days > 0 AND idle_cost IS NULL) AS unpriced
    FROM lines WHERE idle_days > 0 GROUP BY ALL
)
SELECT
    w.kind, k.unit, w.currency, w.of_week,
    w.quantity::DECIMAL(18, 3) AS quantity,
    w.lines::INTEGER AS lines,
    w.longest_days::INTEGER AS longest_days,
    w.cost::DECIMAL(18, 2) AS cost,
    (w.cost - coalesce(lag(w.cost) OVER by_week, 0))::DECIMAL(18, 2) AS added,
    w.unpriced::INTEGER AS unpriced
FROM weeks w
JOIN core.kinds k ON k.kind = w.kind
WINDOW by_week AS (PARTITION BY w.kind, w.currency ORDER BY w.of_week)
