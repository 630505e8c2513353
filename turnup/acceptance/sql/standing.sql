-- table: acceptance.standing
-- grain: one row is a figure of a subject, with the run that counts and how often it was tried
-- key: subject_no, figure_no
-- The last valid run counts: the last complete one after the last repair, whatever came before or was broken after it.
SELECT
    subject_no,
    figure_no,
    count(*) AS attempts,
    count(*) FILTER (state = 'stale') AS stale_attempts,
    arg_max(run_no, (coalesce(measured_at, TIMESTAMP '0001-01-01'), run_no)) FILTER (state = 'valid') AS run_no,
    arg_max(stack, (coalesce(measured_at, TIMESTAMP '0001-01-01'), run_no)) FILTER (state = 'valid') AS stack,
    max(measured_at) FILTER (state = 'valid') AS measured_at,
    arg_max(state, (coalesce(measured_at, TIMESTAMP '0001-01-01'), run_no)) AS last_state,
    max(measured_at) AS last_at,
    max(changed_on) AS changed_on
FROM acceptance.attempts
GROUP BY subject_no, figure_no
