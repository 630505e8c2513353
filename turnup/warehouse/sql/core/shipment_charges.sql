-- table: core.shipment_charges
-- grain: one row is a charge or weight that a shipment line gives: a number, or the reason why it has none
-- key: shipment_key, line_key, charge
-- A reference is followed to the row of the same file that holds the figure, at most five rows far; only own numbers are
-- summed, so that a figure which several lines share counts once. resolved says what stands at the end.
WITH RECURSIVE lines AS (
    SELECT h.*
    FROM stg.shipments h
    QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key ORDER BY h._ingest, h._sheet, h._row) = 1
),
charges AS (
    SELECT l.shipment_key, l.line_key, l.shipment, l.line, l._ingest, l._row, l._sheet, c.charge, c.amount, c.reason
    FROM lines l
    CROSS JOIN LATERAL (
        SELECT unnest(['freight_cost', 'weight_kg', 'insurance']) AS charge,
            unnest([l.freight_cost::DECIMAL(18, 3), l.weight_kg::DECIMAL(18, 3), l.insurance::DECIMAL(18, 3)])
                AS amount,
            unnest([l._absent['freight_cost'], l._absent['weight_kg'], l._absent['insurance']]) AS reason
    ) c
    WHERE c.amount IS NOT NULL OR c.reason IS NOT NULL
),
named AS (
    SELECT _ingest, line_key, charge, any_value(shipment_key) AS shipment_key, any_value(amount) AS amount,
        any_value(reason) AS reason
    FROM charges GROUP BY ALL HAVING count(*) = 1
),
followed AS (
    SELECT c._ingest, c.shipment_key, c.line_key, c.charge, 1 AS hops,
        lower(trim(substr(c.reason, 11))) AS target, NULL::DECIMAL(18, 3) AS amount, c.reason
    FROM charges c WHERE starts_with(c.reason, 'reference:')
    UNION ALL
    SELECT f._ingest, f.shipment_key, f.line_key, f.charge, f.hops + 1,
        CASE WHEN starts_with(n.reason, 'reference:') THEN lower(trim(substr(n.reason, 11))) END, n.amount, n.reason
    FROM followed f
    JOIN named n ON n._ingest = f._ingest AND n.line_key = f.target AND n.charge = f.charge
    WHERE f.target IS NOT NULL AND f.hops <= 5
),
ends AS (
    SELECT shipment_key, line_key, charge, amount, reason
    FROM followed WHERE target IS NULL
)
SELECT
    c.shipment_key,
    c.line_key,
    c.shipment,
    c.line,
    c.charge,
    c.amount,
    split_part(c.reason, ':', 1) AS reason,
    CASE WHEN starts_with(c.reason, 'reference:') THEN substr(c.reason, 11) END AS held_by_line,
    CASE
        WHEN c.amount IS NOT NULL THEN 'number'
        WHEN NOT starts_with(c.reason, 'reference:') THEN c.reason
        WHEN e.amount IS NOT NULL THEN 'number'
        WHEN e.reason IS NOT NULL THEN e.reason
        ELSE 'unresolved'
    END AS resolved,
    coalesce(c.amount, e.amount) AS resolved_amount,
    c._ingest,
    c._row,
    c._sheet
FROM charges c
LEFT JOIN ends e ON e.shipment_key = c.shipment_key AND e.line_key = c.line_key AND e.charge = c.charge
