-- table: mart.storage_outlook
-- grain: one row is a storage system at a week end: capacity as the runs bring it, demand, headroom, and odds
-- key: system_key, week_no
-- odds_short: runs in which demand is more than capacity in that week; odds_run_out: in that week or one before it.
SELECT w.*, s.unit
FROM core.storage_weeks w
JOIN core.systems s ON s.system_key = w.system_key
