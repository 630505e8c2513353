-- table: core.device_use
-- grain: one row is a device of a unit in the reporting week, by what its counter of active units says
-- key: system_key, unit_key, device
-- A sample stands for the time since the one before (a day at most). A counter is percent when its name says so or a
-- value is over 1.5, else a share. Only the hours in which a job held the device tell how well it is used; the others stand apart.
WITH samples AS (
    SELECT
        v.node_key AS name_key, v.device, v.observed_at,
        v.value / CASE WHEN v.counter ILIKE '%percent%' OR v.counter LIKE '%\%%' ESCAPE '\'
            OR max(v.value) OVER (PARTITION BY v._ingest, v.counter) > 1.5 THEN 100 ELSE 1 END AS share,
        coalesce(v.allocated, v.job IS NOT NULL) AS allocated,
        v._ingest, v._row, v._sheet
    FROM stg.utilization v
    CROSS JOIN meta.week w
    WHERE regexp_replace(lower(v.counter), '[^a-z0-9]+', '_', 'g')
            IN ('sm_active', 'sm_active_', 'sm_active_percent', 'sm_activity', 'smact', 'dcgm_fi_prof_sm_active', 'cu_active')
        AND v.observed_at > w.window_start AND v.observed_at <= w.cut_off
),
timed AS (
    SELECT *, date_diff('second', lag(observed_at) OVER earlier, observed_at) / 3600 AS gap
    FROM samples
    WINDOW earlier AS (PARTITION BY name_key, device ORDER BY observed_at)
),
weighted AS (
    SELECT *, least(coalesce(gap, median(gap) OVER (PARTITION BY name_key, device), 1), 24) AS hours FROM timed
),
devices AS (
    SELECT
        name_key, device,
        sum(hours ORDER BY observed_at) AS hours,
        coalesce(sum(hours ORDER BY observed_at) FILTER (allocated), 0) AS allocated_hours,
        sum(hours * share ORDER BY observed_at) FILTER (allocated)
            / nullif(sum(hours ORDER BY observed_at) FILTER (allocated), 0) AS active,
        min(_ingest) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row, arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM weighted GROUP BY name_key, device
)
SELECT n.system_key, n.unit_key, d.* EXCLUDE (name_key)
FROM devices d JOIN core.unit_names n ON n.name_key = d.name_key
QUALIFY row_number() OVER (PARTITION BY n.system_key, n.unit_key, d.device ORDER BY d.hours DESC, d.name_key) = 1
