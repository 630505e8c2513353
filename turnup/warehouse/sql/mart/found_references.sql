-- table: core.found_references
-- grain: one row is an identifier that names nothing in the dataset it points to
-- key: code, item
WITH named AS (
    SELECT 'commitments' AS dataset, 'systems' AS target, system_id_key AS key, system_id AS given, _ingest, _row,
        _sheet FROM stg.commitments
    UNION ALL SELECT 'bom', 'systems', system_id_key, system_id, _ingest, _row, _sheet FROM stg.bom
    UNION ALL SELECT 'po_allocations', 'systems', system_id_key, system_id, _ingest, _row, _sheet
        FROM stg.po_allocations
    UNION ALL SELECT 'installs', 'systems', system_id_key, system_id, _ingest, _row, _sheet FROM stg.installs
    UNION ALL SELECT 'gate_decisions', 'systems', system_id_key, system_id, _ingest, _row, _sheet
        FROM stg.gate_decisions
    UNION ALL SELECT 'raid', 'systems', system_id_key, system_id, _ingest, _row, _sheet FROM stg.raid
    UNION ALL SELECT 'dependencies', 'systems', from_system_key, from_system, _ingest, _row, _sheet
        FROM stg.dependencies
    UNION ALL SELECT 'dependencies', 'systems', to_system_key, to_system, _ingest, _row, _sheet FROM stg.dependencies
    UNION ALL SELECT 'circuits', 'systems', system_id_key, system_id, _ingest, _row, _sheet FROM stg.circuits
    UNION ALL SELECT 'blocks', 'systems', system_id_key, system_id, _ingest, _row, _sheet FROM stg.blocks
    UNION ALL SELECT 'systems', 'sites', site_id_key, site_id, _ingest, _row, _sheet FROM stg.systems
    UNION ALL SELECT 'receipts', 'sites', site_id_key, site_id, _ingest, _row, _sheet FROM stg.receipts
        WHERE place = 'site'
    UNION ALL SELECT 'installs', 'sites', site_id_key, site_id, _ingest, _row, _sheet FROM stg.installs
    UNION ALL SELECT 'po_allocations', 'purchase_orders', po_key || '/' || line_key, po || '/' || line, _ingest,
        _row, _sheet FROM stg.po_allocations
    UNION ALL SELECT 'po_schedule', 'purchase_orders', po_key || '/' || line_key, po || '/' || line, _ingest, _row,
        _sheet FROM stg.po_schedule
    UNION ALL SELECT 'receipts', 'purchase_orders', po_key || '/' || po_line_key, po || '/' || po_line, _ingest,
        _row, _sheet FROM stg.receipts
    UNION ALL SELECT 'shipments', 'purchase_orders', po_key || '/' || po_line_key, po || '/' || po_line, _ingest,
        _row, _sheet FROM stg.shipments
),
known AS (
    SELECT 'systems' AS target, system_id_key AS key FROM stg.systems
    UNION SELECT 'sites', site_id_key FROM stg.sites
    UNION SELECT 'purchase_orders', po_key || '/' || line_key FROM stg.purchase_orders
),
unknown AS (
    SELECT n.* FROM named n
    ANTI JOIN known k ON k.target = n.target AND k.key = n.key
    WHERE n.key IS NOT NULL AND n.target IN (SELECT target FROM known)
)
SELECT
    'unknown_reference' AS code, 'error' AS severity, dataset, NULL AS system_key,
    min(given) AS subject,
    dataset || ' ' || key AS item,
    arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
    arg_min_null(_sheet, (_ingest, _row)) AS _sheet,
    dataset || ' names ' || min(given) || ', which is not in ' || target || ' (' || count(*) || ' rows)' AS message
FROM unknown GROUP BY dataset, target, key
