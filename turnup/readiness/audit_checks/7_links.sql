-- title: Every planned link is up
-- rule: observed up at its planned speed
SELECT u.unit_id || ' ' || c.link_id AS subject,
    CASE WHEN c.up THEN 'go' WHEN c.observed THEN 'no-go' ELSE 'no data' END AS state,
    coalesce(c.observed_state, 'not observed') AS note, 'links' AS dataset, c._ingest, c._sheet, c._row
FROM core.unit_cables c JOIN units u ON u.system_key = c.system_key AND u.unit_key = c.unit_key
