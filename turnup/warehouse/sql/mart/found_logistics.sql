-- table: core.found_logistics
-- grain: one row is a contradiction in orders, shipments and their events
-- key: code, item
-- Many lines of one vendor, and many events of one shipment, are one finding.
WITH faults AS (
    SELECT l.*, count(*) OVER (PARTITION BY l.vendor) AS of_vendor
    FROM core.shipment_lines l WHERE l.step_fault IS NOT NULL
)
SELECT
    'closed_short' AS code, 'warning' AS severity, 'purchase_orders' AS dataset, NULL AS system_key,
    l.po || '/' || l.line AS subject, l.po_key || '/' || l.line_key AS item, l._ingest, l._row, l._sheet,
    'PO ' || l.po || ' line ' || l.line || ' is closed with ' || figure(l.open_quantity) || ' of ' || figure(l.ordered)
        || ' not received; nothing more is expected of it' AS message
FROM core.order_lines l WHERE l.left_out = 'closed' AND l.open_quantity > 0
UNION ALL
SELECT
    'negative_order', 'warning', 'purchase_orders', NULL, l.po || '/' || l.line, l.po_key || '/' || l.line_key,
    l._ingest, l._row, l._sheet,
    'PO ' || l.po || ' line ' || l.line || ' orders ' || figure(l.ordered) || ': a correction, left out of the supply'
FROM core.order_lines l WHERE l.left_out = 'negative'
UNION ALL
SELECT
    'contradictory_status', 'warning', 'shipments', NULL, s.shipment, s.shipment_key || '/' || s.line_key,
    s._ingest, s._row, s._sheet,
    s.shipment || ' line ' || s.line || ': the status is ' || s.by_status
        || CASE WHEN s.by_dates IS NULL THEN '' ELSE ', its dates say ' || s.by_dates END
        || CASE WHEN s.by_events IS NULL THEN '' ELSE ', its last event says ' || s.by_events END
        || '; ' || coalesce(s.state, 'no state') || ' stands'
FROM core.shipment_states s WHERE s.contradicted
UNION ALL
SELECT
    'event_left_out', 'warning', 'logistics_events', NULL, min(e.shipment), e.shipment_key || ' ' || e.left_out,
    min(e._ingest), arg_min_null(e._row, (e._ingest, e._row)), arg_min_null(e._sheet, (e._ingest, e._row)),
    min(e.shipment) || ': ' || count(*) || ' actual events lie ' || e.left_out || ', the first on '
        || min(e.event_at)::DATE || '; they do not count'
FROM core.tracking_events e WHERE e.left_out IN ('in the future', 'after its report')
GROUP BY e.shipment_key, e.left_out
UNION ALL
SELECT
    'step_order', 'warning', 'shipments', NULL, l.shipment, l.shipment_key || '/' || l.line_key, l._ingest, l._row,
    l._sheet,
    l.shipment || ' line ' || l.line || ' (' || l.vendor || '): ' || l.step_fault || '; left out of lead times'
FROM faults l CROSS JOIN core.settings p WHERE l.of_vendor <= p.late_listed
UNION ALL
SELECT
    'step_order', 'warning', 'shipments', NULL, l.vendor, 'vendor ' || l.vendor, NULL, NULL, NULL,
    l.vendor || ': ' || count(*) || ' lines with steps out of order (' || string_agg(DISTINCT l.step_fault, ', '
        ORDER BY l.step_fault) || '); left out of lead times'
FROM faults l CROSS JOIN core.settings p WHERE l.of_vendor > p.late_listed GROUP BY l.vendor
UNION ALL
SELECT
    'obsolete_incoterm', 'warning', 'shipments', NULL, upper(l.incoterm), upper(l.incoterm), min(l._ingest),
    arg_min_null(l._row, (l._ingest, l._row)), arg_min_null(l._sheet, (l._ingest, l._row)),
    upper(l.incoterm) || ' on ' || count(*) || ' lines is no term of Incoterms 2020; read as ' || min(l.incoterm_now)
FROM core.shipment_lines l WHERE l.incoterm_now <> l.incoterm GROUP BY upper(l.incoterm)
