-- table: mart.schedule_health
-- grain: one row is a check of a delivered schedule, or something told beside the checks (verdict info)
-- key: project, check_no
SELECT * FROM core.schedule_health
