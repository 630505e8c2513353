-- table: core.promises_due
-- grain: one row is a day for which a purchase order line was promised 28 days before, and which has passed
-- key: po_key, line_key, promised
-- The schedule in force 28 days before its day is the promise. It is kept when all that it promised up to the day has
-- arrived at most 3 days after it. Lines that were cancelled, and corrections, are no vendor's promise.
WITH called AS (
    SELECT o.*
    FROM core.promised_lots o
    CROSS JOIN core.settings p
    WHERE o.told_on <= o.promised - p.promise_notice_days
        AND (o.until_on IS NULL OR o.until_on > o.promised - p.promise_notice_days)
        AND o.promised + p.promise_tolerance_days <= p.as_of
),
met AS (
    SELECT c.po_key, c.line_key, c.promised, min(a.arrived) AS arrived
    FROM called c
    JOIN core.line_arrivals a ON a.po_key = c.po_key AND a.line_key = c.line_key 
        AND a.cumulative >= c.cumulative + c.arrived_before
    GROUP BY c.po_key, c.line_key, c.promised
)
SELECT
    c.po_key,
    c.line_key,
    c.promised,
    l.po,
    l.line,
    l.part_number,
    l.vendor,
    lower(nfc_normalize(trim(l.vendor))) AS vendor_key,
    c.quantity,
    c.cumulative,
    m.arrived,
    CASE
        WHEN NOT EXISTS (SELECT 1 FROM core.line_arrivals) THEN 'no data'
        WHEN m.arrived <= c.promised + p.promise_tolerance_days THEN 'kept'
        WHEN m.arrived IS NOT NULL THEN 'late'
        ELSE 'open'
    END AS outcome,
    (coalesce(m.arrived, p.as_of) - c.promised)::INTEGER AS days_after,
    c._ingest,
    c._row,
    c._sheet
FROM called c
CROSS JOIN core.settings p
JOIN core.order_lines l ON l.po_key = c.po_key AND l.line_key = c.line_key
LEFT JOIN met m ON m.po_key = c.po_key AND m.line_key = c.line_key AND m.promised = c.promised
WHERE coalesce(l.left_out, '') NOT IN ('cancelled', 'negative')
