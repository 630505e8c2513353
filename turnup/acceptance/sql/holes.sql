-- table: acceptance.holes
-- grain: one row is a member that a subject has no figure of although most others, or an earlier run of its own, have
-- key: subject_no, baseline_no, member
WITH wanted AS (
    SELECT baseline_no, figure_no, count(*) AS members FROM acceptance.members GROUP BY ALL
),
held AS (
    SELECT j.subject_no, j.baseline_no, j.figure_no, count(*) AS members
    FROM acceptance.judged j
    SEMI JOIN acceptance.members m
        ON m.baseline_no = j.baseline_no AND m.figure_no = j.figure_no AND m.member = j.member
    GROUP BY ALL
),
lacking AS (
    SELECT c.subject_no, c.baseline_no, c.figure_no
    FROM acceptance.fitting c
    JOIN wanted w ON w.baseline_no = c.baseline_no AND w.figure_no = c.figure_no
    LEFT JOIN held h
        ON h.subject_no = c.subject_no AND h.baseline_no = c.baseline_no AND h.figure_no = c.figure_no
    WHERE c.is_chosen AND coalesce(h.members, 0) < w.members
    UNION
    -- A subject without any figure lacks every member that its expectation has elsewhere.
    SELECT e.subject_no, e.baseline_no, w.figure_no
    FROM acceptance.expected e
    JOIN wanted w ON w.baseline_no = e.baseline_no
    ANTI JOIN acceptance.fitting c
        ON c.subject_no = e.subject_no AND c.baseline_no = e.baseline_no AND c.is_chosen
),
before AS (
    -- A rerun of some members says nothing about the others: those that a run on this hardware had are still wanted.
    SELECT c.subject_no, c.baseline_no, c.figure_no, f.member
    FROM acceptance.fitting c
    JOIN acceptance.attempts a
        ON a.subject_no = c.subject_no AND a.figure_no = c.figure_no AND a.state = 'valid'
    JOIN core.figures f ON f.subject_no = a.subject_no AND f.figure_no = a.figure_no AND f.run_no = a.run_no
    ANTI JOIN acceptance.judged w
        ON w.subject_no = c.subject_no AND w.baseline_no = c.baseline_no AND w.member = 'all'
    WHERE c.is_chosen AND c.attempts > 1 AND f.member <> 'all'
),
wanting AS (
    SELECT l.subject_no, l.baseline_no, l.figure_no, m.member
    FROM lacking l
    JOIN acceptance.members m ON m.baseline_no = l.baseline_no AND m.figure_no = l.figure_no
    UNION
    SELECT * FROM before
)
SELECT DISTINCT w.subject_no, w.baseline_no, w.member
FROM wanting w
ANTI JOIN acceptance.judged j
    ON j.subject_no = w.subject_no AND j.baseline_no = w.baseline_no AND j.figure_no = w.figure_no
    AND j.member = w.member
