-- table: acceptance.verdicts
-- grain: one row is the verdict on a subject by one baseline: its worst member decides
-- key: subject_no, baseline_no
WITH had AS (
    SELECT
        subject_no,
        baseline_no,
        count(*) AS members,
        count(*) FILTER (rank = 5) AS failing,
        max(rank) AS rank,
        bool_and(is_checked) AS is_checked,
        arg_max(row_no, (rank, coalesce(badness, 0), row_no)) AS row_no
    FROM acceptance.judged GROUP BY subject_no, baseline_no
),
tried AS (
    SELECT
        subject_no, baseline_no, max(attempts) AS attempts, max(stale_attempts) AS stale_attempts,
        arg_max(last_state, coalesce(last_at, TIMESTAMP '0001-01-01')) AS last_state,
        max(measured_at) FILTER (is_chosen) AS measured_at,
        max(changed_on) AS changed_on
    FROM acceptance.fitting GROUP BY subject_no, baseline_no
),
lacking AS (
    SELECT subject_no, baseline_no, count(*) AS holes,
        string_agg(member, ', ' ORDER BY member) FILTER (member <> 'all') AS missing
    FROM acceptance.holes GROUP BY ALL
),
other AS (
    SELECT e.subject_no, e.baseline_no, string_agg(DISTINCT n.statistic, ', ' ORDER BY n.statistic) AS statistics
    FROM acceptance.expected e
    ANTI JOIN acceptance.fitting f ON f.subject_no = e.subject_no AND f.baseline_no = e.baseline_no
    JOIN core.baselines b ON b.baseline_no = e.baseline_no
    JOIN acceptance.figure_names n ON n.test_key = b.test_key AND n.metric_key = b.metric_key
    SEMI JOIN acceptance.standing s ON s.subject_no = e.subject_no AND s.figure_no = n.figure_no
    GROUP BY ALL
),
stated AS (
    SELECT
        e.subject_no, e.baseline_no,
        h.members, h.failing, h.is_checked, j.value, j.member AS worst_member, j.size_bytes, j.reason, h.row_no,
        t.measured_at, t.changed_on, t.last_state,
        coalesce(t.attempts, 0) AS attempts, coalesce(t.stale_attempts, 0) AS stale_attempts,
        coalesce(l.holes, 0) AS holes, l.missing AS missing_members, o.statistics,
        h.row_no IS NULL OR coalesce(l.holes, 0) > 0 AS is_hole,
        CASE
            WHEN h.rank IS NULL AND t.last_state = 'tool_error' THEN 3
            WHEN h.rank IS NULL AND t.last_state = 'conflict' THEN 4
            WHEN h.rank IS NULL THEN 2
            WHEN l.holes > 0 THEN greatest(h.rank, 2)
            ELSE h.rank
        END AS found
    FROM acceptance.expected e
    LEFT JOIN had h ON h.subject_no = e.subject_no AND h.baseline_no = e.baseline_no
    LEFT JOIN acceptance.judged j
        ON j.subject_no = e.subject_no AND j.baseline_no = e.baseline_no AND j.row_no = h.row_no
    LEFT JOIN tried t ON t.subject_no = e.subject_no AND t.baseline_no = e.baseline_no
    LEFT JOIN lacking l ON l.subject_no = e.subject_no AND l.baseline_no = e.baseline_no
    LEFT JOIN other o ON o.subject_no = e.subject_no AND o.baseline_no = e.baseline_no
)
SELECT
    s.subject_no, s.baseline_no, b.label, b.test_key, b.metric_key, b.limit_text, b.unit, b.source, b.required, b.decides,
    s.value, s.worst_member, s.size_bytes, s.members, s.failing, s.is_checked, s.holes, s.missing_members, s.attempts,
    s.stale_attempts, s.measured_at, s.changed_on, s.row_no, s.is_hole,
    s.row_no IS NULL AND s.last_state = 'stale' AS is_stale,
    CASE WHEN s.is_hole AND b.missing = 'fail' AND s.found <> 5 THEN 'FailedTest' ELSE b.category END AS category,
    CASE WHEN s.is_hole AND b.missing = 'fail' THEN 5 ELSE s.found END AS rank,
    verdict_of(rank) AS verdict,
    CASE
        WHEN s.row_no IS NOT NULL AND s.reason IS NOT NULL THEN s.reason
        WHEN s.row_no IS NOT NULL THEN figure(s.value) || ' against ' || b.limit_text
            || CASE WHEN s.found = 1 THEN ', within the warning band' ELSE '' END
            || CASE WHEN s.members > 1 THEN ' (worst of ' || s.members || ': ' || s.worst_member || ')' ELSE '' END
        WHEN s.last_state = 'stale' THEN 'older than the hardware of ' || s.changed_on::DATE
        WHEN s.last_state = 'incomplete' THEN 'the log is incomplete'
        WHEN s.last_state = 'undated' THEN 'the run has no time: put it into the name of the log, and time_zone into the source'
        WHEN s.last_state = 'tool_error' THEN 'the tool failed'
        WHEN s.last_state = 'conflict' THEN 'the tool contradicts itself'
        WHEN s.last_state = 'not_measured' THEN 'the tool gives no figure'
        WHEN s.statistics IS NOT NULL THEN 'only other statistics or conditions: ' || s.statistics
        ELSE 'no complete run'
    END
    || CASE WHEN s.row_no IS NOT NULL AND s.missing_members IS NOT NULL
        THEN '; no figure of ' || s.missing_members ELSE '' END
    || CASE WHEN s.attempts > 1 THEN '; ' || s.attempts || ' attempts' ELSE '' END AS note
FROM stated s
JOIN core.baselines b ON b.baseline_no = s.baseline_no
