-- table: core.sourced_parts
-- grain: one row is a part that somebody ordered, sent, received, counted or has installed, anywhere
-- key: part_key
SELECT DISTINCT part_key FROM (
    SELECT part_number_key AS part_key FROM stg.purchase_orders WHERE status <> 'cancelled'
    UNION ALL SELECT part_number_key FROM stg.shipments
    UNION ALL SELECT part_number_key FROM stg.receipts
    UNION ALL SELECT part_number_key FROM stg.inventory
    UNION ALL SELECT part_number_key FROM stg.installs WHERE status <> 'planned'
) WHERE part_key IS NOT NULL
