-- table: core.allocations
-- grain: one row is the share of a purchase order line for a system
-- key: po_key, line_key, system_key
-- Shares are served by the systems' priority, so an over-allocated or partly delivered line never counts twice.
WITH shares AS (
    SELECT
        a.po_key,
        a.line_key,
        s.system_key,
        any_value(s.netting_order) AS netting_order,
        any_value(s.site_key) AS site_key,
        sum(a.quantity)::DECIMAL(18, 3) AS asked,
        min(a._ingest) AS _ingest,
        arg_min_null(a._row, (a._ingest, a._row)) AS _row,
        arg_min_null(a._sheet, (a._ingest, a._row)) AS _sheet
    FROM stg.po_allocations a
    JOIN core.systems s ON s.system_key = a.system_id_key
    GROUP BY ALL
),
several AS (SELECT po_key, line_key FROM shares GROUP BY ALL HAVING count(*) > 1),
waiting AS (
    SELECT po_key, line_key, system_key, sum(asked) OVER earlier AS asked_before, sum(asked) OVER here AS asked_before_here
    FROM shares SEMI JOIN several USING (po_key, line_key)
    WINDOW
        earlier AS (
            PARTITION BY po_key, line_key ORDER BY netting_order, system_key
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ),
        here AS (
            PARTITION BY po_key, line_key, site_key ORDER BY netting_order, system_key
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
)
SELECT
    s.*,
    l.part_key,
    l.part_number,
    l.vendor,
    l.ordered,
    l.promised,
    coalesce(w.asked_before, 0) AS asked_before,
    coalesce(w.asked_before_here, 0) AS asked_before_here,
    greatest(0, least(s.asked, l.quantity - coalesce(w.asked_before, 0)))::DECIMAL(18, 3) AS quantity
FROM shares s
JOIN core.purchase_lines l ON l.po_key = s.po_key AND l.line_key = s.line_key
LEFT JOIN waiting w ON w.po_key = s.po_key AND w.line_key = s.line_key AND w.system_key = s.system_key
