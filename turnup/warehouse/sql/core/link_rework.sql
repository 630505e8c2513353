-- table: core.link_rework
-- grain: one row is a job for a technician: a cable of the plan that is not as it should be, or one that no plan has
-- key: low_end, high_end
-- go_to is the end to walk to: of a wrong cable the plug that sits wrong (its other end has the right port), of a
-- dark one the end that receives too little, else the end that the plan names first. Two cables that were exchanged
-- are one job.
WITH plugged AS (
    SELECT end_key FROM core.cable_ends WHERE "view" = 'observed'
),
touched AS (
    SELECT
        low_end, high_end, low_end IN (SELECT end_key FROM plugged) AS low_touched,
        high_end IN (SELECT end_key FROM plugged) AS high_touched
    FROM core.link_check WHERE class IN ('wrong port', 'wrong device')
),
jobs AS (
    SELECT
        c.*, h.faults, h.darkest_end, h.rx_check, h.state_check, h.speed_check, h.unsound,
        w.other_low IS NOT NULL AS swap,
        w.other_low, w.other_high,
        t.low_touched, t.high_touched
    FROM core.link_check c
    LEFT JOIN core.link_health h ON h.low_end = c.low_end AND h.high_end = c.high_end
    LEFT JOIN core.link_swaps w ON w.low_end = c.low_end AND w.high_end = c.high_end
    LEFT JOIN touched t ON t.low_end = c.low_end AND t.high_end = c.high_end
    WHERE (c.low_end, c.high_end) NOT IN (SELECT (other_low, other_high) FROM core.link_swaps)
      AND (c.class IN ('wrong port', 'wrong device', 'missing', 'unplanned')
           OR (c.class = 'ok' AND h.faults <> ''))
),
aimed AS (
    SELECT
        *,
        CASE
            WHEN class = 'ok' AND rx_check = 'fault' THEN darkest_end
            WHEN low_touched AND NOT high_touched THEN high_end
            WHEN high_touched AND NOT low_touched THEN low_end
            WHEN swap THEN high_end
        END AS chosen,
        CASE WHEN swap THEN 'swapped' WHEN class = 'ok' AND state_check = 'fault' THEN 'down'
            WHEN class = 'ok' THEN 'faulty' ELSE class END AS fault
    FROM jobs
),
ends AS (
    SELECT e.low_end, e.high_end, e.one, e.a_name, e.a_device, e.a_port, e.other, e.b_name, e.b_device, e.b_port
    FROM core.link_ends e
    QUALIFY row_number() OVER (
        PARTITION BY e.low_end, e.high_end ORDER BY e."view" = 'observed', e._ingest, e.sheet, e._row) = 1
)
SELECT
    a.low_end,
    a.high_end,
    a.fault,
    CASE WHEN a.chosen = e.other AND e.other <> e.one THEN e.b_name ELSE e.a_name END AS go_to,
    CASE WHEN go_to = e.b_name AND a.chosen = e.other THEN e.b_device ELSE e.a_device END AS device,
    CASE WHEN a.chosen = e.other THEN e.b_port ELSE e.a_port END AS port,
    CASE WHEN a.chosen = e.other THEN e.a_name ELSE e.b_name END AS far_name,
    CASE WHEN a.chosen = e.other THEN e.a_device ELSE e.b_device END AS far_device,
    CASE WHEN a.chosen = e.other THEN e.a_port ELSE e.b_port END AS far_port,
    CASE
        WHEN a.swap THEN 'exchange with ' || o.a_device || ':' || o.a_port || ' - ' || o.b_device || ':' || o.b_port
        WHEN a.class = 'unplanned' THEN 'take out, or put into the plan'
        WHEN a.class = 'missing' THEN 'connect'
        WHEN a.class = 'ok' THEN a.faults
        ELSE 'move; found ' || a.found
    END AS task,
    a.system_key,
    a._ingest,
    a._row,
    a._sheet
FROM aimed a
JOIN ends e ON e.low_end = a.low_end AND e.high_end = a.high_end
LEFT JOIN ends o ON o.low_end = a.other_low AND o.high_end = a.other_high
