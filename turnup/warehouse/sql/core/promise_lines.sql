-- table: core.promise_lines
-- grain: one row is a purchase order line with a schedule: its first promise, its promise now and how it moved
-- key: po_key, line_key
-- A promise is the last day of a schedule that covers the whole order; the first such one told here is the first
-- promise. A push is a delivery that moved pieces to a later day; its days are weighed by pieces, earlier ones included.
WITH schedules AS (
    SELECT po_key, line_key, version, max(promised) AS last_day, any_value(scheduled + arrived_before) AS scheduled,
        any_value(told_on) AS told_on, bool_or(is_newest) AS is_newest
    FROM core.promised_lots GROUP BY po_key, line_key, version
),
shifts AS (
    SELECT po_key, line_key, version, sum(quantity * days) / sum(quantity) AS days
    FROM core.promise_moves GROUP BY po_key, line_key, version
),
moved AS (
    SELECT po_key, line_key, count(*) FILTER (days > 0) AS pushes, count(*) FILTER (days < 0) AS pulls,
        sum(days) FILTER (days > 0) AS days_pushed
    FROM shifts GROUP BY po_key, line_key
),
newest AS (
    SELECT * FROM core.promised_lots WHERE is_newest
    QUALIFY row_number() OVER (PARTITION BY po_key, line_key ORDER BY promised DESC) = 1
)
SELECT
    l.po_key,
    l.line_key,
    l.po,
    l.line,
    l.part_number,
    l.vendor,
    lower(nfc_normalize(trim(l.vendor))) AS vendor_key,
    l.left_out,
    l.expected,
    f.first_promise,
    f.first_told,
    n.promised AS promise_now,
    coalesce(m.pushes, 0)::INTEGER AS pushes,
    coalesce(m.pulls, 0)::INTEGER AS pulls,
    coalesce(m.days_pushed, 0)::DECIMAL(12, 3) AS days_pushed,
    (n.promised - f.first_promise)::INTEGER AS moved_days,
    n._ingest,
    n._row,
    n._sheet
FROM core.order_lines l
JOIN newest n ON n.po_key = l.po_key AND n.line_key = l.line_key
LEFT JOIN (
    SELECT s.po_key, s.line_key, arg_min(s.last_day, s.version) AS first_promise, min(s.told_on) AS first_told
    FROM schedules s JOIN core.order_lines o ON o.po_key = s.po_key AND o.line_key = s.line_key
    WHERE s.scheduled >= o.ordered GROUP BY s.po_key, s.line_key
) f ON f.po_key = l.po_key AND f.line_key = l.line_key
LEFT JOIN moved m ON m.po_key = l.po_key AND m.line_key = l.line_key
