-- table: acceptance.expected
-- grain: one row is a baseline that a subject must meet
-- key: subject_no, baseline_no
WITH named AS (
    SELECT k.subject_no, b.baseline_no, b.system_key
    FROM core.baselines b JOIN core.subject_skus k ON k.sku_key = b.sku_key
    UNION
    SELECT s.subject_no, b.baseline_no, b.system_key
    FROM core.baselines b CROSS JOIN core.subjects s WHERE b.sku_key = '*'
)
SELECT DISTINCT n.subject_no, n.baseline_no
FROM named n
JOIN core.subjects s ON s.subject_no = n.subject_no AND n.system_key IN ('*', s.system_key)
