-- table: acceptance.subject_verdicts
-- grain: one row is a subject that is to be accepted, with the worst of its verdicts
-- key: subject_no
-- Only pass is accepted. An outlier among its peers is a warning; without any expectation there is no verdict.
WITH verdicts AS (
    SELECT subject_no, rank, category, test_key || '/' || metric_key AS what, note, is_stale, measured_at
    FROM acceptance.verdicts WHERE required OR (decides AND rank IN (1, 4, 5))
    UNION ALL
    SELECT subject_no, CASE verdict WHEN 'fail' THEN 5 WHEN 'pass' THEN 0 ELSE 2 END, category, rule_key, note, false, NULL
    FROM acceptance.rule_results
    UNION ALL
    SELECT o.subject_no, 1, 'outlier', n.test_key || '/' || n.metric_key,
        arg_min(printf('%.1f %% worse than the median of %d nodes (%s)', -100 * o.deviation, o.subjects, o.member),
            (o.deviation, o.member)), false, NULL
    FROM acceptance.outliers o JOIN acceptance.figure_names n ON n.figure_no = o.figure_no
    GROUP BY o.subject_no, n.test_key, n.metric_key
)
SELECT
    s.subject_no,
    s.subject_id,
    s.system_key,
    verdict_of(coalesce(max(r.rank), 2)) AS verdict,
    count(r.rank) AS checks,
    count(*) FILTER (r.rank = 0) AS passed,
    count(*) FILTER (r.rank = 1) AS warned,
    count(*) FILTER (r.rank = 5) AS failed,
    count(*) FILTER (r.rank IN (2, 3, 4)) AS not_evaluated,
    coalesce(bool_or(r.is_stale), false) AS has_stale,
    min(r.measured_at) AS measured_at,
    list_sort(list_distinct(list(r.category) FILTER (r.rank = 5))) AS categories,
    coalesce(
        string_agg(r.what || ': ' || r.note, '; ' ORDER BY r.rank DESC, r.what, r.note) FILTER (r.rank > 0),
        string_agg(r.what || ': ' || r.note, '; ' ORDER BY r.what, r.note),
        'no expectation for this SKU') AS note
FROM core.subjects s
LEFT JOIN verdicts r ON r.subject_no = s.subject_no
GROUP BY s.subject_no, s.subject_id, s.system_key
