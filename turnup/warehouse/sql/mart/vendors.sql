-- table: mart.vendors
-- grain: one row is a vendor with delivered shipment lines that had a scheduled date
-- key: vendor
-- Lead time is from order to delivery, over lines whose steps are in order. mean_days_late is over late lines only; early lines do not make up for late ones.
SELECT
    vendor,
    count(*)::INTEGER AS lines,
    (count(*) FILTER (days_late > 0))::INTEGER AS late,
    round((count(*) FILTER (days_late <= 0))::DECIMAL(18, 4) / count(*), 4)::DECIMAL(6, 4) AS on_time_share,
    round((sum(days_late) FILTER (days_late > 0))::DECIMAL(18, 4) / nullif(count(*) FILTER (days_late > 0), 0),
        1)::DECIMAL(8, 1)
        AS mean_days_late,
    count(lead_days)::INTEGER AS lead_lines,
    (count(*) FILTER (step_fault IS NOT NULL))::INTEGER AS lead_excluded,
    round(sum(lead_days)::DECIMAL(18, 4) / nullif(count(lead_days), 0), 1)::DECIMAL(8, 1) AS mean_lead_days
FROM core.shipment_lines
WHERE days_late IS NOT NULL
GROUP BY vendor
