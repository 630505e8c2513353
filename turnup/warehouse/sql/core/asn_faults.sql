-- table: core.asn_faults
-- grain: one row is a kind of difference between what a shipment announced and what was received of it
-- key: shipment_key, item_key, fault
-- short: announced and not arrived, once nothing has come for receipt_days and the rest is not still on its way. over:
-- arrived beyond what was announced. damaged: rejected at the dock. serials: as many as announced, but others. What its
-- order line has made good since (all ordered pieces are there) is settled; what is over the order itself is told there,
-- not here, and pieces that stand installed without a receipt are told as that.
WITH lines AS (
    SELECT
        a.*, o.open_quantity, o.surplus, o.left_out, coalesce(o.vendor, a.vendor) AS seller, o.po, o.line,
        n.missing, n.extra, n.in_place, n.missing_serials, n.extra_serials,
        coalesce(o.open_quantity <= 0 OR o.left_out IS NOT NULL, false) AS settled,
        a.is_delivered OR coalesce(e.eta < p.as_of, true) AS has_ended,
        row_number() OVER (PARTITION BY a.shipment_key ORDER BY a.item_key) = 1 AS is_first
    FROM core.asn_lines a
    CROSS JOIN core.settings p
    LEFT JOIN core.shipment_etas e ON e.shipment_key = a.shipment_key
    LEFT JOIN core.order_lines o ON o.po_key = a.po_key AND o.line_key = a.po_line_key
    LEFT JOIN core.asn_serials n ON n.shipment_key = a.shipment_key
),
faults AS (
    SELECT l.*, 'short' AS fault, l.shipped - l.arrived AS quantity
    FROM lines l CROSS JOIN core.settings p
    WHERE l.shipped > l.arrived AND l.arrived > 0 AND l.has_ended AND NOT l.settled
        AND l.last_received + p.receipt_days <= p.as_of
        AND NOT coalesce(l.missing = l.shipped - l.arrived AND l.in_place = l.missing, false)
    UNION ALL
    SELECT l.*, 'over', l.arrived - l.shipped
    FROM lines l WHERE l.arrived > l.shipped AND coalesce(l.surplus, 0) = 0
    UNION ALL
    SELECT l.*, 'damaged', l.rejected FROM lines l WHERE l.rejected > 0 AND NOT l.settled
    UNION ALL
    SELECT l.*, 'serials', greatest(l.missing, l.extra)
    FROM lines l WHERE l.is_first AND l.extra > 0
)
SELECT
    f.shipment_key,
    f.item_key,
    f.fault,
    f.shipment,
    f.po,
    f.line,
    f.part_number,
    f.seller AS vendor,
    f.site_key,
    f.shipped,
    f.arrived,
    f.rejected,
    f.quantity::DECIMAL(18, 3) AS quantity,
    CASE f.fault
        WHEN 'serials' THEN array_to_string(f.extra_serials[:3], ', ')
        WHEN 'short' THEN CASE WHEN f.missing = f.quantity THEN array_to_string(f.missing_serials[:3], ', ') END
    END AS serials,
    f.last_received,
    f.dataset,
    f._ingest,
    f._row,
    f._sheet
FROM faults f
