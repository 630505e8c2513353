-- table: core.waived_systems
-- grain: one row is a system with a criterion that is met by a waiver only
-- key: system_key
SELECT
    system_key,
    min(waiver_expiry) AS earliest_expiry,
    string_agg(DISTINCT waiver_id, ', ' ORDER BY waiver_id) AS waiver_ids
FROM mart.criteria
WHERE state = 'waived'
GROUP BY system_key
