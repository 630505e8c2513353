-- table: mart.circuit_providers
-- grain: one row is a provider and what it delivers: circuits or cross-connects
-- key: provider_key, delivers
-- Promise against delivery: what was delivered with a firm date, against the firm date as promised first and as promised
-- last. Open ones whose last promise has passed are overdue. Days are calendar days; early ones count as on time.
WITH promised AS (
    SELECT 'circuits' AS delivers, provider, ordered, first_firm_date, firm_date,
        CASE WHEN coalesce(delivered, tested, in_service) <= as_of THEN coalesce(delivered, tested, in_service) END AS done,
        as_of
    FROM core.circuit_life
    UNION ALL BY NAME
    SELECT 'cross-connects' AS delivers, provider, ordered, first_firm_date, firm_date, installed AS done, as_of
    FROM core.cross_connect_now
),
judged AS (
    SELECT *, lower(trim(provider)) AS provider_key, done - first_firm_date AS late_first, done - firm_date AS late_last
    FROM promised WHERE trim(provider) <> ''
)
SELECT
    provider_key,
    min(trim(provider)) AS provider,
    delivers,
    count(*)::INTEGER AS known,
    count(late_first)::INTEGER AS delivered,
    (count(*) FILTER (late_first <= 0))::INTEGER AS on_time,
    (count(*) FILTER (late_last <= 0))::INTEGER AS on_time_last,
    round((count(*) FILTER (late_first <= 0))::DECIMAL(18, 4) / nullif(count(late_first), 0), 4)::DECIMAL(6, 4)
        AS on_time_share,
    quantile_disc(late_first, 0.5)::INTEGER AS median_days,
    max(late_first)::INTEGER AS worst_days,
    (count(*) FILTER (firm_date <> first_firm_date))::INTEGER AS promises_moved,
    (count(*) FILTER (done IS NULL AND firm_date < as_of))::INTEGER AS overdue,
    (count(*) FILTER (done IS NULL AND firm_date IS NULL AND ordered <= as_of))::INTEGER AS without_promise,
    count(done - ordered)::INTEGER AS lead_n,
    quantile_disc(done - ordered, 0.5)::INTEGER AS median_lead_days
FROM judged
GROUP BY provider_key, delivers
