-- table: core.found_deliveries
-- grain: one row is a fault between promise, shipment and receipt, or of a shipment under way
-- key: code, item
-- One row a fault; a shipment under way is told by what ranks first. More faults of one kind and vendor than the programme
-- wants listed are one row.
WITH served AS (
    SELECT po_key, line_key, min(system_key) AS system_key FROM core.allocations GROUP BY ALL HAVING count(*) = 1
),
faults AS (
    SELECT
        'promise_pushed' AS code, 'po_schedule' AS dataset, l.vendor, l.po || '/' || l.line AS subject,
        l.po_key || '/' || l.line_key AS item, l.po_key, l.line_key, l._ingest, l._row, l._sheet,
        l.moved_days AS worst,
        'PO ' || l.po || ' line ' || l.line || ' (' || l.vendor || '): first promised for ' || l.first_promise || ', now '
            || l.promise_now || ', pushed out ' || l.pushes || ' times; ' || figure(l.expected) || ' pieces open' AS message
    FROM core.promise_lines l CROSS JOIN core.settings p
    WHERE l.expected > 0 AND l.moved_days > p.promise_pushed_days
    UNION ALL
    SELECT
        'asn_' || f.fault, f.dataset, coalesce(f.vendor, '(unknown)'), f.shipment, f.shipment_key || '/' || f.item_key,
        split_part(f.item_key, '/', 1), split_part(f.item_key, '/', 2), f._ingest, f._row, f._sheet, f.quantity,
        f.shipment || coalesce(', PO ' || f.po || ' line ' || f.line, '') || ': ' || CASE f.fault
            WHEN 'short' THEN figure(f.shipped) || ' announced, ' || figure(f.arrived) || ' arrived by ' || f.last_received
            WHEN 'over' THEN figure(f.arrived) || ' arrived, ' || figure(f.shipped) || ' announced'
            WHEN 'damaged' THEN figure(f.rejected) || ' of ' || figure(f.arrived) || ' rejected at the dock'
            ELSE figure(f.quantity) || ' serial numbers received that it did not announce' END
            || coalesce(' (' || f.serials || ')', '')
    FROM core.asn_faults f
    UNION ALL
    SELECT
        'substituted_part', w.dataset, w.vendor, w.po || '/' || w.line, w.po_key || '/' || w.line_key || '/' || w.part_key,
        w.po_key, w.line_key, w._ingest, w._row, w._sheet, greatest(w.received, w.shipped),
        'PO ' || w.po || ' line ' || w.line || ': ' || w.part_number || ' came for ' || w.ordered_part || ' ('
            || figure(w.shipped) || ' shipped, ' || figure(w.received) || ' received); no bill lists it as an alternate'
    FROM core.part_swaps w WHERE NOT w.is_approved
    UNION ALL
    SELECT
        'serial_repeated', r.dataset, r.dataset, r.serial_key, r.dataset || ' ' || r.serial_key || ' ' || r.site_key, NULL,
        NULL, r._ingest, r._row, r._sheet, r.times,
        'serial ' || r.serial_key || CASE r.dataset WHEN 'receipts' THEN ' was received ' ELSE ' was announced ' END
            || r.times || ' times: ' || r.documents
    FROM core.serial_repeats r
    UNION ALL
    SELECT
        CASE e.exception WHEN 'silent' THEN 'shipment_silent' ELSE e.exception END, 'shipments', e.vendor, e.shipment,
        e.shipment_key, NULL, NULL, e._ingest, e._row, e._sheet, e.days,
        e.shipment || ' (' || e.vendor || ', ' || e.origin || ' to ' || e.destination || ', ' || e.mode || '): '
            || CASE e.exception
                WHEN 'customs_hold' THEN 'in customs since ' || e.since
                WHEN 'not_received' THEN 'delivered ' || e.since || ', on no receipt'
                WHEN 'eta_passed' THEN 'expected ' || e.since || ', not there'
                ELSE 'no event since ' || e.since END
            || ', ' || e.days || ' days; ' || figure(e.quantity) || ' pieces'
    FROM core.transit_exceptions e WHERE e.rank = 1
),
counted AS (SELECT *, count(*) OVER (PARTITION BY code, vendor) AS of_vendor FROM faults)
SELECT
    c.code, 'warning' AS severity, c.dataset, s.system_key, c.subject, c.item, c._ingest, c._row, c._sheet, c.message
FROM counted c
CROSS JOIN core.settings p
LEFT JOIN served s ON s.po_key = c.po_key AND s.line_key = c.line_key
WHERE c.of_vendor <= p.late_listed
UNION ALL
SELECT
    c.code, 'warning', min(c.dataset), NULL, c.vendor, 'vendor ' || c.vendor, NULL, NULL, NULL,
    c.vendor || ': ' || count(*) || ' cases of ' || replace(c.code, '_', ' ') || ', for example '
        || arg_max(c.message, (c.worst, c.item))
FROM counted c CROSS JOIN core.settings p
WHERE c.of_vendor > p.late_listed
GROUP BY c.code, c.vendor
