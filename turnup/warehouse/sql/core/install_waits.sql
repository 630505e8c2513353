-- table: core.install_waits
-- grain: one row is a production device that waits for its next step of installation
-- key: asset_key
-- The next step is the one after the last that it has behind it, and one that anybody records: a step in between without
-- a day is not told, not open. It waits since the day of that last step, before racking since its receipt; a device
-- that is active without any day is not known to wait.
WITH recorded AS (
    SELECT step, min(step_no) AS step_no FROM core.install_steps GROUP BY step
    UNION
    SELECT 'racked', 2
),
behind AS (
    SELECT asset_key, max(step_no) AS step_no, arg_max(done_on, step_no) AS done_on
    FROM core.install_steps GROUP BY asset_key
),
booked AS (
    SELECT r.serial_key, max(r.received) AS received
    FROM core.receipt_serials r CROSS JOIN core.settings p
    WHERE r.place = 'site' AND r.received <= p.as_of GROUP BY r.serial_key
),
next AS (
    SELECT d.asset_key, min(r.step_no) AS step_no
    FROM core.devices d
    LEFT JOIN behind b ON b.asset_key = d.asset_key
    JOIN recorded r ON r.step_no > coalesce(b.step_no, 1)
    GROUP BY d.asset_key
)
SELECT
    d.asset_key,
    r.step,
    n.step_no,
    coalesce(b.done_on, k.received) AS since,
    (p.as_of - coalesce(b.done_on, k.received))::INTEGER AS age_days,
    d.device,
    d.system_key,
    d.system_id,
    d.block_key,
    d.site_id,
    d.crew,
    d._ingest,
    d._row,
    d._sheet
FROM core.devices d
CROSS JOIN core.settings p
JOIN next n ON n.asset_key = d.asset_key
JOIN recorded r ON r.step_no = n.step_no
LEFT JOIN behind b ON b.asset_key = d.asset_key
LEFT JOIN booked k ON k.serial_key = d.serial_key
WHERE d.purpose = 'production' AND d.status NOT IN ('failed', 'offline')
    AND (b.step_no IS NOT NULL OR d.status IN ('inventory', 'staged') OR (d.status = 'planned' AND k.received IS NOT
        NULL))
