-- table: core.line_punctuality
-- grain: one row is a purchase order line, judged on time and in full (OTIF) against the day it was due
-- key: po_key, line_key
-- Due is the first promise for the whole order; without one, the day we asked for. On time and in full: by that day as
-- many good pieces as were ordered had arrived and stayed. A line that was closed with less is not in full; cancelled
-- lines and corrections are left out. Nothing is judged before its day.
WITH due AS (
    SELECT
        l.*, coalesce(f.first_promise, l.requested) AS due,
        CASE WHEN f.first_promise IS NOT NULL THEN 'first promise' WHEN l.requested IS NOT NULL THEN 'requested' END
            AS due_by
    FROM core.order_lines l
    LEFT JOIN core.promise_lines f ON f.po_key = l.po_key AND f.line_key = l.line_key
),
arrived AS (
    SELECT
        d.po_key, d.line_key, min(a.arrived) FILTER (a.cumulative >= d.ordered) AS full_on,
        max(a.cumulative) FILTER (a.arrived <= d.due) AS by_due, max(a.cumulative) AS by_now
    FROM due d JOIN core.line_arrivals a ON a.po_key = d.po_key AND a.line_key = d.line_key
    GROUP BY d.po_key, d.line_key
)
SELECT
    d.po_key,
    d.line_key,
    d.po,
    d.line,
    d.part_number,
    d.vendor,
    lower(nfc_normalize(trim(d.vendor))) AS vendor_key,
    d.ordered,
    d.ordered_on,
    d.due,
    d.due_by,
    a.full_on,
    coalesce(a.by_due, 0)::DECIMAL(18, 3) AS by_due,
    coalesce(a.by_now, 0)::DECIMAL(18, 3) AS by_now,
    CASE
        WHEN d.left_out IN ('cancelled', 'negative') OR d.ordered <= 0 THEN 'left out'
        WHEN d.due IS NULL THEN 'no date'
        WHEN d.due > p.as_of THEN 'not due'
        WHEN NOT EXISTS (SELECT 1 FROM core.line_arrivals) THEN 'no data'
        WHEN a.full_on <= d.due THEN 'on time in full'
        WHEN a.full_on IS NOT NULL THEN 'late'
        ELSE 'not in full'
    END AS verdict,
    (coalesce(a.full_on, p.as_of) - d.due)::INTEGER AS days_after,
    d._ingest,
    d._row,
    d._sheet
FROM due d
CROSS JOIN core.settings p
LEFT JOIN arrived a ON a.po_key = d.po_key AND a.line_key = d.line_key
