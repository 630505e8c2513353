-- table: core.pool_moves
-- grain: one row is a lot that went, or waits to go, through the dock, the install crews or the burn-in of a site
-- key: pool, lot_key
-- entered: the day from which it could be worked on; left_on: the day its work was done, none while it waits. Pieces are
-- those that bear capacity. A unit can be burnt in from the day on which its block was seen past its links; where that
-- is not known, only the day on which it was accepted tells anything.
WITH linked AS (
    SELECT g.system_key, b.block_key, min(g.passed_on) AS passed_on
    FROM mart.gates g
    JOIN core.block_sizes b ON b.system_key = g.system_key AND b.block = g.block
    WHERE g.stage = 'l1_valid' AND g.state IN ('passed', 'waived')
    GROUP BY ALL
),
accepted AS (
    SELECT
        u.system_key, u.unit_key, u.site_key,
        CASE WHEN e.has AND e.observed_at <= p.cut_off THEN e.observed_at::DATE END AS accepted_on,
        n.passed_on AS linked_on
    FROM core.asset_units u
    CROSS JOIN core.settings p
    JOIN core.evidence_accepted e ON e.system_key = u.system_key AND e.unit_key = u.unit_key
    LEFT JOIN linked n ON n.system_key = u.system_key AND n.block_key = u.block_key
    WHERE u.dataset = 'installs'
),
received AS (
    SELECT serial_key, min(received) AS received FROM core.receipt_serials WHERE place = 'site' GROUP BY ALL
),
assets AS (
    SELECT u.*, least(o.received, h.received) AS received
    FROM core.asset_units u
    LEFT JOIN received o ON o.serial_key = u.serial_key
    LEFT JOIN received h ON h.serial_key = u.parent_serial_key
    WHERE u.dataset = 'installs'
),
delivered AS (
    SELECT h.shipment_key, h.line_key, h.ship_to_site_key AS site_key, h.quantity, h.delivered, h.po_key, h.po_line_key
    FROM stg.shipments h
    CROSS JOIN core.settings p
    JOIN core.shipment_states t ON t.shipment_key = h.shipment_key AND t.line_key = h.line_key AND t.state = 'delivered'
    LEFT JOIN core.purchase_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
    WHERE h.delivered <= p.as_of AND h.ship_to_site_key IS NOT NULL
      AND coalesce(l.part_key, h.part_number_key) IN (SELECT part_key FROM core.capacity_parts)
),
receipts AS (
    SELECT r.shipment_key, r.po_key, r.po_line_key, r.received
    FROM stg.receipts r CROSS JOIN core.settings p WHERE r.received <= p.as_of
),
bookings AS (
    SELECT shipment_key, line_key, site_key, quantity, delivered, min(received) AS received
    FROM (
        SELECT d.*, r.received
        FROM delivered d LEFT JOIN receipts r ON r.shipment_key = d.shipment_key AND r.received >= d.delivered
        UNION ALL
        SELECT d.*, r.received
        FROM delivered d JOIN receipts r ON r.po_key = d.po_key AND r.po_line_key = d.po_line_key
        WHERE r.shipment_key IS NULL AND r.received >= d.delivered
    )
    GROUP BY ALL
)
SELECT
    'install' AS pool, system_key || '/' || unit_key AS lot_key, site_key, 1::DECIMAL(18, 3) AS pieces,
    coalesce(received, CASE WHEN racked <= p.as_of THEN racked END) AS entered,
    CASE WHEN racked <= p.as_of THEN racked END AS left_on
FROM assets CROSS JOIN core.settings p
WHERE coalesce(received, racked) <= p.as_of
UNION ALL
SELECT 'burn_in', system_key || '/' || unit_key, site_key, 1, least(linked_on, accepted_on), accepted_on
FROM accepted
WHERE coalesce(linked_on, accepted_on) IS NOT NULL
UNION ALL
SELECT 'dock', shipment_key || '/' || line_key, site_key, quantity, delivered, received FROM bookings
