-- table: core.revalidations
-- grain: one row is an accepted unit whose component changed its version after the tests
-- key: system_key, unit_key, component_key
-- It does not take the acceptance away: it says since when a test of the present software is due.
SELECT
    s.system_key,
    s.unit_key,
    s.subject_id AS unit_id,
    v.component_key,
    v.version_before,
    v.version,
    v.changed_at,
    a.measured_at AS tested_at,
    v._ingest,
    v._row,
    v._sheet
FROM acceptance.subject_verdicts a
JOIN core.subjects s ON s.subject_no = a.subject_no
JOIN core.unit_names n ON n.system_key = s.system_key AND n.unit_key = s.unit_key
JOIN core.node_versions v ON v.name_key = n.name_key AND v.changed_at > a.measured_at
WHERE a.verdict IN ('pass', 'warn')
QUALIFY row_number() OVER (
    PARTITION BY s.system_key, s.unit_key, v.component_key ORDER BY v.changed_at DESC, v.name_key) = 1
