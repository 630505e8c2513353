-- table: core.serial_repeats
-- grain: one row is a serial number that is on several receipts at one site, or announced by several shipments to it
-- key: serial_key, site_key, dataset
-- Goods that came back after a return, and goods that pass through a warehouse on their way, are not received twice.
WITH booked AS (
    SELECT r.*, coalesce(r.site_key, '') AS at_site
    FROM core.receipt_serials r CROSS JOIN core.settings p
    WHERE r.place = 'site' AND NOT r.has_returns AND r.received <= p.as_of
),
again AS (SELECT serial_key, at_site FROM booked GROUP BY ALL HAVING count(*) > 1),
announced AS (SELECT s.*, coalesce(s.site_key, '') AS at_site FROM core.shipment_serials s),
twice AS (SELECT serial_key, at_site FROM announced GROUP BY ALL HAVING count(*) > 1)
SELECT
    b.serial_key, b.at_site AS site_key, 'receipts' AS dataset, count(DISTINCT receipt_line)::INTEGER AS times,
    string_agg(DISTINCT receipt_line, ', ' ORDER BY receipt_line) AS documents,
    arg_max_null(_ingest, (received, _ingest, _row)) AS _ingest, arg_max_null(_row, (received, _ingest, _row)) AS _row,
    arg_max_null(_sheet, (received, _ingest, _row)) AS _sheet
FROM booked b SEMI JOIN again g ON g.serial_key = b.serial_key AND g.at_site = b.at_site
GROUP BY b.serial_key, b.at_site
UNION ALL
SELECT
    a.serial_key, a.at_site, 'shipments', count(DISTINCT shipment || '/' || line_key)::INTEGER,
    string_agg(DISTINCT shipment || '/' || line_key, ', ' ORDER BY shipment || '/' || line_key),
    arg_max_null(_ingest, (_ingest, _row)), arg_max_null(_row, (_ingest, _row)), arg_max_null(_sheet, (_ingest, _row))
FROM announced a SEMI JOIN twice g ON g.serial_key = a.serial_key AND g.at_site = a.at_site
GROUP BY a.serial_key, a.at_site
