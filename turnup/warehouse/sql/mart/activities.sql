-- table: mart.activities
-- grain: one row is an activity of a delivered schedule, with its dates on the evidence of this week and as stored
-- key: project, task
SELECT
    a.project,
    a.task,
    a.code,
    a.name,
    a.wbs,
    s.system_key,
    coalesce(s.system_id, a.system) AS system_id,
    a.block,
    a.gate,
    a.kind,
    a.status,
    a.claimed_status,
    a.percent,
    a.status = 'completed' AS done,
    a.contradicted,
    a.calendar,
    round(a.remaining_days, 2)::DECIMAL(10, 2) AS remaining_days,
    a.actual_start,
    a.actual_finish,
    a.early_start,
    a.early_finish,
    a.late_start,
    a.late_finish,
    round(a.total_float_days, 2)::DECIMAL(10, 2) AS total_float_days,
    round(a.free_float_days, 2)::DECIMAL(10, 2) AS free_float_days,
    a.critical,
    a.longest_path,
    a.stored_start,
    a.stored_finish,
    round(a.stored_float_days, 2)::DECIMAL(10, 2) AS stored_float_days,
    a.baseline_finish,
    a.owner,
    nullif(a.reason, '') AS reason
FROM core.schedule_activities a
LEFT JOIN core.systems s ON s.system_key = lower(trim(a.system))
