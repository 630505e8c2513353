-- table: acceptance.rule_results
-- grain: one row is a rule over several figures of a subject
-- key: subject_no, rule_key
-- A rule with a figure missing, or none at all, is not evaluated: it never counts as kept.
WITH applies AS (
    SELECT DISTINCT k.subject_no, r.rule_key
    FROM core.rules r JOIN core.subject_skus k ON k.sku_key = r.sku_key OR r.sku_key = '*'
),
named AS (
    SELECT figure_no, test_key || '/' || metric_key AS name FROM acceptance.figure_names
),
matching AS (
    SELECT DISTINCT t.rule_key, t.side, t.take, n.figure_no
    FROM core.rule_terms t JOIN named n ON regexp_full_match(n.name, t.pattern, 'i') WHERE t.take <> 'violations'
),
wanted AS (
    SELECT DISTINCT m.rule_key, m.side, m.take, r.figure_no, r.member
    FROM matching m JOIN acceptance.readings r ON r.figure_no = m.figure_no
    JOIN applies a ON a.rule_key = m.rule_key AND a.subject_no = r.subject_no
    WHERE r.is_largest
),
had AS (
    SELECT DISTINCT a.subject_no, w.rule_key, w.side, w.take, w.figure_no, w.member, r.value
    FROM applies a
    JOIN wanted w ON w.rule_key = a.rule_key
    LEFT JOIN acceptance.readings r
        ON r.subject_no = a.subject_no AND r.figure_no = w.figure_no AND r.member = w.member AND r.is_largest
        AND r.is_usable
),
aggregated AS (
    SELECT
        subject_no, rule_key, side,
        CASE any_value(take) WHEN 'min' THEN min(value) WHEN 'max' THEN max(value) WHEN 'mean' THEN avg(value)
            WHEN 'sum' THEN sum(value ORDER BY value) WHEN 'count' THEN count(value) END AS number,
        count(*) FILTER (value IS NULL) AS holes
    FROM had GROUP BY subject_no, rule_key, side
    UNION ALL
    SELECT
        a.subject_no, a.rule_key, t.side,
        coalesce(sum(CASE WHEN v.is_hole THEN 1 ELSE v.failing END), 0) AS number,
        count(*) FILTER (v.verdict NOT IN ('pass', 'warn', 'fail')) AS holes
    FROM applies a
    JOIN core.rule_terms t ON t.rule_key = a.rule_key AND t.take = 'violations'
    JOIN acceptance.verdicts v ON v.subject_no = a.subject_no AND v.label = t.pattern
    GROUP BY ALL
),
compared AS (
    SELECT
        a.subject_no, r.*,
        CASE WHEN r.is_ratio THEN l.number / nullif(d.number, 0) ELSE l.number END AS number,
        coalesce(l.holes, 0) + coalesce(d.holes, 0) AS holes
    FROM applies a
    JOIN core.rules r ON r.rule_key = a.rule_key
    LEFT JOIN aggregated l ON l.subject_no = a.subject_no AND l.rule_key = a.rule_key AND l.side = 'left'
    LEFT JOIN aggregated d ON d.subject_no = a.subject_no AND d.rule_key = a.rule_key AND d.side = 'right'
)
SELECT
    subject_no, rule_key, category, source, number, holes,
    CASE
        WHEN number IS NULL OR NOT isfinite(number) THEN 'not_evaluated'
        WHEN CASE violated WHEN '>' THEN number > "limit" WHEN '>=' THEN number >= "limit" WHEN '<' THEN number < "limit"
            WHEN '<=' THEN number <= "limit" ELSE number = "limit" END THEN 'fail'
        WHEN holes > 0 THEN 'not_evaluated'
        ELSE 'pass'
    END AS verdict,
    CASE
        WHEN number IS NULL OR NOT isfinite(number) THEN 'no figures for ' || text
        WHEN holes > 0 THEN text || ': ' || figure(number) || ', with ' || holes || ' figures missing'
        ELSE text || ': ' || figure(number)
    END AS note
FROM compared
