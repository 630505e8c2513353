-- table: acceptance.expected
-- grain: one row is a baseline that a subject must meet
-- key: subject_no, baseline_no
SELECT DISTINCT k.subject_no, b.baseline_no
FROM core.baselines b JOIN core.subject_skus k ON k.sku_key = b.sku_key
UNION
SELECT s.subject_no, b.baseline_no
FROM core.baselines b CROSS JOIN core.subjects s WHERE b.sku_key = '*'
