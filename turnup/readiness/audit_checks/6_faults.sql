-- title: No unit has an open fault
-- rule: no fault or RMA of the unit or a part in it is open; without a fault list in force nothing is known
SELECT u.unit_id AS subject, CASE WHEN f.failure_id IS NULL THEN 'go' ELSE 'no-go' END AS state,
    concat_ws(' ', f.failure_id, f.kind, 'open since', f.opened) AS note,
    'failures' AS dataset, f._ingest, f._sheet, f._row
FROM units u
CROSS JOIN core.settings p
LEFT JOIN core.unit_failures f ON f.system_key = u.system_key AND f.unit_key = u.unit_key
    AND (f.closed IS NULL OR f.closed > p.as_of)
WHERE EXISTS (SELECT 1 FROM meta.ledger WHERE dataset = 'failures' AND in_force)
