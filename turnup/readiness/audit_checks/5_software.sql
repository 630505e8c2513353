-- title: Software and firmware are as laid down
-- rule: every component whose version is laid down for the unit has that version
SELECT w.unit_id || ' ' || w.component_key AS subject,
    CASE w.state WHEN 'ok' THEN 'go' WHEN 'drift' THEN 'no-go' ELSE 'no data' END AS state,
    coalesce(w.version, 'no version reported') || ' (wanted ' || w.golden || ')' AS note,
    'versions' AS dataset, w._ingest, w._sheet, w._row
FROM core.unit_software w JOIN units u ON u.system_key = w.system_key AND u.unit_key = w.unit_key
