-- table: core.shipment_etas
-- grain: one row is a shipment of which a day of arrival was told: first, a week ago, now, and when it came
-- key: shipment_key
-- slip: the day now (or of delivery) less the day told first; slip_week: less the day that stood at
-- the last cut-off, unless it had come by then.
WITH delivered AS (
    SELECT shipment_key, max(delivered) AS delivered, count(*) AS lines FROM core.shipment_lines GROUP BY shipment_key
),
lines AS (SELECT shipment_key, min(shipment) AS shipment, count(*) AS lines FROM core.shipment_states GROUP BY ALL),
told AS (
    SELECT
        e.shipment_key,
        arg_min(e.eta, e.told_no) AS first_eta, min(e.told_on) AS first_told,
        arg_max(e.eta, e.told_no) AS eta, max(e.told_on) AS last_told,
        arg_max(e.eta, e.told_no) FILTER (e.told_at < w.window_start) AS eta_before,
        count(*) - 1 AS changes,
        count(*) FILTER (e.slip_days > 0) AS slips,
        arg_max(e.dataset, e.told_no) AS dataset,
        arg_max_null(e._ingest, e.told_no) AS _ingest, arg_max_null(e._row, e.told_no) AS _row,
        arg_max_null(e._sheet, e.told_no) AS _sheet
    FROM core.eta_told e CROSS JOIN meta.week w GROUP BY e.shipment_key
)
SELECT
    t.shipment_key,
    n.shipment,
    t.first_told,
    t.first_eta,
    t.eta_before,
    t.eta,
    t.last_told,
    t.changes::INTEGER AS changes,
    t.slips::INTEGER AS slips,
    CASE WHEN d.lines = n.lines THEN d.delivered END AS delivered,
    (coalesce(CASE WHEN d.lines = n.lines THEN d.delivered END, t.eta) - t.first_eta)::INTEGER AS slip_days,
    CASE WHEN d.lines IS DISTINCT FROM n.lines OR d.delivered >= w.window_start::DATE
        THEN coalesce(CASE WHEN d.lines = n.lines THEN d.delivered END, t.eta) - t.eta_before
    END::INTEGER AS slip_week_days,
    t.dataset,
    t._ingest,
    t._row,
    t._sheet
FROM told t
CROSS JOIN meta.week w
JOIN lines n ON n.shipment_key = t.shipment_key
LEFT JOIN delivered d ON d.shipment_key = t.shipment_key
