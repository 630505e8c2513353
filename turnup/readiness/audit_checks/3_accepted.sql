-- title: Every unit passes its acceptance limits
-- rule: every required test within its limit; a warning is no pass
SELECT e.unit_id AS subject, CASE WHEN e.has IS NULL THEN 'no data' WHEN e.has THEN 'go' ELSE 'no-go' END AS state,
    e.note, e.dataset, e._ingest, e._sheet, e._row
FROM core.unit_stages e JOIN units u ON u.system_key = e.system_key AND u.unit_key = e.unit_key
WHERE e.stage = 'accepted'
