-- table: mart.watermelons
-- grain: one row is a claim that the evidence contradicts, with what is claimed and what is computed
-- key: finding_id
-- Ranked by kind, then by capacity x weight of the severity (critical 4, high 3, medium 2, low 1): capacity of different
-- kinds is not compared.
WITH weighed AS (
    SELECT
        c.*, 'watermelon:' || c.item AS finding_id, s.system_id, s.owner, s.kind, s.unit, k.kind_no,
        c.capacity * CASE c.severity WHEN 'critical' THEN 4 WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END AS weight
    FROM core.claims c
    LEFT JOIN core.systems s ON s.system_key = c.system_key
    LEFT JOIN core.kinds k ON k.kind = s.kind
)
SELECT
    row_number() OVER (ORDER BY w.kind_no NULLS LAST, w.weight DESC, w.finding_id) AS rank,
    w.finding_id,
    w.system_key,
    coalesce(w.system_id, w.system_key) AS system_id,
    w.kind,
    w.source,
    w.subject,
    w.claimed,
    w.computed,
    w.reason,
    w.severity,
    w.capacity,
    w.unit,
    w.weight::DECIMAL(18, 3) AS weight,
    w.owner,
    f.first_seen_week,
    ((monday(p.week) - monday(f.first_seen_week))::INTEGER // 7 + 1)::INTEGER AS weeks,
    f.file,
    f.sheet,
    f."row"
FROM weighed w
CROSS JOIN core.settings p
JOIN mart.findings f ON f.finding_id = w.finding_id
