-- title: The scheduler offers every installed unit
-- rule: the newest snapshot is fresh and says allocatable; what it does not offer takes no part in the run
SELECT e.unit_id AS subject, CASE WHEN e.has IS NULL THEN 'no data' WHEN e.has THEN 'go' ELSE 'no-go' END AS state,
    e.note, e.dataset, e._ingest, e._sheet, e._row
FROM core.unit_stages e JOIN units u ON u.system_key = e.system_key AND u.unit_key = e.unit_key
WHERE e.stage = 'schedulable'
