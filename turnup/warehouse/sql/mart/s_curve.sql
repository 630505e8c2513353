-- table: mart.s_curve
-- grain: one row is a cumulative quantity of a kind at a week end in one series
-- key: kind, series, week_end
-- contract and plan (internal commit date, else contract date) are steps at their dates; actual ends at the data
-- date; pN is the quantity that N % of the runs reach, from the data date on.
WITH lines AS (
    SELECT kind, 'contract' AS series, contract_date AS day, quantity FROM core.commitment_lines
    UNION ALL
    SELECT kind, 'plan', coalesce(internal_commit_date, contract_date), quantity FROM core.commitment_lines
),
steps AS (
    SELECT DISTINCT kind, series, day AS week_end, sum(quantity) OVER (PARTITION BY kind, series
        ORDER BY day) AS quantity FROM lines
),
actual AS (
    SELECT h.kind, 'actual' AS series, w.as_of AS week_end, h.schedulable AS quantity
    FROM past_classes h JOIN past_weeks w ON w.week = h.week
    UNION ALL
    SELECT kind, 'actual', p.as_of, schedulable FROM mart.classes, core.settings p
)
SELECT kind, series, week_end, quantity::DECIMAL(18, 3) AS quantity
FROM (
    SELECT * FROM steps
    UNION ALL SELECT * FROM actual
    UNION ALL SELECT kind, series, week_end, quantity FROM core.curves
)
