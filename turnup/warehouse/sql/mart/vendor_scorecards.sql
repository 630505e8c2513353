-- table: mart.vendor_scorecards
-- grain: one row is a vendor of orders or of delivered shipments
-- key: vendor_key
-- A share or a quantile of fewer cases than judged_from is empty: its n says why. otif: on time and in full, by the first
-- promise for the whole order. kept: promises of 28 days before that arrived at most 3 days after their day. Lead time is
-- from order to delivery over shipment lines with steps in order; P50 and P90 are cases, never between two.
WITH spelled AS (
    SELECT vendor_key, vendor FROM core.line_punctuality
    UNION ALL
    SELECT lower(nfc_normalize(trim(vendor))), vendor FROM core.shipment_lines
),
vendors AS (SELECT vendor_key, min(vendor) AS vendor FROM spelled GROUP BY vendor_key),
lines AS (
    SELECT
        vendor_key,
        count(*) FILTER (verdict <> 'left out') AS lines,
        count(*) FILTER (verdict IN ('on time in full', 'late', 'not in full')) AS due_lines,
        count(*) FILTER (verdict = 'on time in full') AS otif_lines,
        count(*) FILTER (verdict = 'late') AS late_lines,
        count(*) FILTER (verdict = 'not in full') AS short_lines,
        count(*) FILTER (verdict = 'not due') AS not_due_lines,
        count(*) FILTER (verdict IN ('no date', 'no data')) AS unknown_lines
    FROM core.line_punctuality GROUP BY vendor_key
),
calls AS (
    SELECT vendor_key, count(*) FILTER (outcome <> 'no data') AS promises_due,
        count(*) FILTER (outcome = 'kept') AS promises_kept
    FROM core.promises_due GROUP BY vendor_key
),
moves AS (
    SELECT
        vendor_key, count(*) AS promised_lines, count(*) FILTER (pushes > 0) AS pushed_lines, sum(pushes) AS pushes,
        sum(days_pushed) / nullif(sum(pushes), 0) AS mean_push_days, max(moved_days) FILTER (moved_days > 0)
            AS most_moved_days
    FROM core.promise_lines WHERE left_out IS NULL OR left_out = 'closed' GROUP BY vendor_key
),
leads AS (
    SELECT
        lower(nfc_normalize(trim(vendor))) AS vendor_key, count(lead_days) AS lead_lines,
        count(*) FILTER (step_fault IS NOT NULL) AS lead_excluded,
        quantile_disc(lead_days, 0.5) AS p50, quantile_disc(lead_days, 0.9) AS p90
    FROM core.shipment_lines GROUP BY 1
)
SELECT
    v.vendor_key,
    v.vendor,
    coalesce(l.lines, 0)::INTEGER AS lines,
    coalesce(l.due_lines, 0)::INTEGER AS due_lines,
    coalesce(l.otif_lines, 0)::INTEGER AS otif_lines,
    coalesce(l.late_lines, 0)::INTEGER AS late_lines,
    coalesce(l.short_lines, 0)::INTEGER AS short_lines,
    coalesce(l.not_due_lines, 0)::INTEGER AS not_due_lines,
    coalesce(l.unknown_lines, 0)::INTEGER AS unknown_lines,
    CASE WHEN l.due_lines >= p.judged_from THEN round(l.otif_lines::DECIMAL(18, 4) / l.due_lines, 4)
    END::DECIMAL(6, 4) AS otif_share,
    coalesce(c.promises_due, 0)::INTEGER AS promises_due,
    coalesce(c.promises_kept, 0)::INTEGER AS promises_kept,
    CASE WHEN c.promises_due >= p.judged_from THEN round(c.promises_kept::DECIMAL(18, 4) / c.promises_due, 4)
    END::DECIMAL(6, 4) AS kept_share,
    coalesce(m.promised_lines, 0)::INTEGER AS promised_lines,
    coalesce(m.pushed_lines, 0)::INTEGER AS pushed_lines,
    coalesce(m.pushes, 0)::INTEGER AS pushes,
    round(m.mean_push_days, 1)::DECIMAL(8, 1) AS mean_push_days,
    m.most_moved_days,
    coalesce(d.lead_lines, 0)::INTEGER AS lead_lines,
    coalesce(d.lead_excluded, 0)::INTEGER AS lead_excluded,
    CASE WHEN d.lead_lines >= p.judged_from THEN d.p50 END::INTEGER AS lead_p50,
    CASE WHEN d.lead_lines >= p.judged_from THEN d.p90 END::INTEGER AS lead_p90,
    p.judged_from
FROM vendors v
CROSS JOIN core.settings p
LEFT JOIN lines l ON l.vendor_key = v.vendor_key
LEFT JOIN calls c ON c.vendor_key = v.vendor_key
LEFT JOIN moves m ON m.vendor_key = v.vendor_key
LEFT JOIN leads d ON d.vendor_key = v.vendor_key
