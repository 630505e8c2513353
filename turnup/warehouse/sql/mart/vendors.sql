-- table: mart.vendors
-- grain: one row is a vendor with delivered shipment lines that had a scheduled date
-- key: vendor
-- mean_days_late is over late lines only; early lines do not make up for late ones.
SELECT
    vendor,
    count(*)::INTEGER AS lines,
    (count(*) FILTER (days_late > 0))::INTEGER AS late,
    round((count(*) FILTER (days_late <= 0))::DECIMAL(18, 4) / count(*), 4)::DECIMAL(6, 4) AS on_time_share,
    round((sum(days_late) FILTER (days_late > 0))::DECIMAL(18, 4) / nullif(count(*) FILTER (days_late > 0), 0),
        1)::DECIMAL(8, 1)
        AS mean_days_late
FROM core.shipment_lines
WHERE days_late IS NOT NULL
GROUP BY vendor
