-- table: core.found_claims
-- grain: one row is a claim that the evidence contradicts
-- key: code, item
-- Claims of a schedule are core.found_activities.
SELECT 'watermelon' AS code, 'warning' AS severity, dataset, system_key, subject, item, _ingest, _row, _sheet, message
FROM core.claims WHERE source <> 'activity'
