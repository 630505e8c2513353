-- table: mart.activities
-- grain: one row is an activity of a delivered schedule, with its dates on the evidence of this week and as stored
-- key: project, task
-- contract_float_days: calendar days that an open activity may finish later without its system's last open contract line
-- being late: its float to the end of its project and from there to the contract date; negative when it is too late.
WITH contract AS (
    SELECT system_key, max(contract_date) AS contract_date
    FROM mart.commitments WHERE schedulable < quantity AND contract_date IS NOT NULL
    GROUP BY system_key
),
ends AS (
    SELECT project, lower(trim(system)) AS system_key, max(early_finish) AS finish
    FROM core.schedule_activities WHERE kind <> 'summary' GROUP BY project, lower(trim(system))
)
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
    a.baseline_start,
    a.baseline_finish,
    c.contract_date,
    CASE WHEN a.status <> 'completed' THEN
        date_diff('day', a.early_finish::DATE, a.late_finish::DATE) + date_diff('day', e.finish::DATE, c.contract_date)
    END::INTEGER AS contract_float_days,
    a.owner,
    nullif(a.reason, '') AS reason
FROM core.schedule_activities a
LEFT JOIN core.systems s ON s.system_key = lower(trim(a.system))
LEFT JOIN contract c ON c.system_key = s.system_key
LEFT JOIN ends e ON e.project IS NOT DISTINCT FROM a.project AND e.system_key = s.system_key
