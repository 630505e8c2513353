-- table: mart.shipments_late
-- grain: one row is a shipment line delivered after its scheduled date
-- key: shipment_key, line_key
SELECT
    shipment,
    line,
    part_number,
    vendor,
    ship_to_site,
    scheduled,
    delivered,
    days_late,
    quantity,
    file,
    _row AS "row",
    shipment_key,
    line_key
FROM core.shipment_lines
WHERE days_late > 0
