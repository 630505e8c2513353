-- table: mart.schedule_health
-- grain: one row is a check of a delivered schedule, or something told beside the checks (verdict info)
-- key: project, check_no
-- judged_by: whose definitions were used, and each choice of the programme that differs from them.
-- numerator and denominator are counts; checks of durations have none. data_date: the week's where the file tells none.
SELECT * FROM core.schedule_health
