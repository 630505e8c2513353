-- title: Every required test has been run on every unit
-- rule: a result that is newer than the hardware, complete and not too old, for each test that the SKU's limits require
SELECT s.subject_id || ' ' || c.test_key AS subject,
    CASE c.state WHEN 'covered' THEN 'go' ELSE 'no data' END AS state,
    c.state || CASE WHEN c.attempts > 0 THEN ' after ' || c.attempts || ' attempts' ELSE '' END AS note,
    'benchmarks' AS dataset, NULL AS _ingest, NULL AS _sheet, NULL::BIGINT AS _row
FROM acceptance.coverage c
JOIN core.subjects s ON s.subject_no = c.subject_no
JOIN units u ON u.system_key = s.system_key AND u.unit_key = s.unit_key
