-- table: mart.site_headroom
-- grain: one row is a resource of a hall at a week end: ready, needed as planned and as forecast, and what is left
-- key: site_id, hall, resource, week_no
-- As forecast, a block that is not installed needs its room from the P50 of the gate that installs it, where there is one.
WITH dated AS (
    SELECT g.system_key, b.block_key, min(g.p50) AS p50
    FROM core.gate_forecasts g
    JOIN core.systems s ON s.system_key = g.system_key
    JOIN core.gates d ON d.playbook = s.playbook AND d.gate = g.gate AND d.stage = 'installed'
    JOIN core.block_sizes b ON b.system_key = g.system_key AND b.block = g.block
    GROUP BY ALL
),
loads AS (
    SELECT w.site_key, w.hall_key, w.resource, w.week_no,
        sum(coalesce(CASE w.resource WHEN 'racks' THEN l.racks ELSE l.kw END, 0)) AS load
    FROM core.hall_weeks w
    JOIN core.hall_loads l ON l.site_key = w.site_key AND (w.hall_key = '*' OR l.hall_key = w.hall_key)
    LEFT JOIN dated d ON d.system_key = l.system_key AND d.block_key = l.block_key
    WHERE l.installed OR coalesce(d.p50, l.day, w.week_end) <= w.week_end
    GROUP BY ALL
)
SELECT
    w.site_id, w.hall, w.resource, w.week_no, w.week_end, w.ready, w.load, w.headroom, w.blocks, w.unknown_loads,
    w.silent_phases,
    coalesce(l.load, 0)::DECIMAL(18, 3) AS load_forecast,
    CASE WHEN w.headroom IS NOT NULL AND w.unknown_loads = 0 THEN w.ready - coalesce(l.load, 0) END::DECIMAL(18, 3)
        AS headroom_forecast
FROM core.hall_weeks w
LEFT JOIN loads l USING (site_key, hall_key, resource, week_no)
