-- table: acceptance.counted
-- grain: one row is a run of a figure that counts
-- key: subject_no, figure_no, run_no
-- A run replaces the earlier ones that measured one of its members, and one of the whole replaces all. What was measured
-- member by member in runs of their own (a log for each adapter) counts together. Of runs whose order is unknown, all count.
WITH valid AS (
    SELECT *, count(*) OVER (PARTITION BY subject_no, figure_no) AS runs FROM acceptance.attempts WHERE state = 'valid'
),
measured AS (
    SELECT v.subject_no, v.figure_no, v.run_no, v.measured_at, f.member
    FROM valid v
    JOIN core.figures f ON f.subject_no = v.subject_no AND f.figure_no = v.figure_no AND f.run_no = v.run_no
    WHERE v.runs > 1
    GROUP BY ALL
),
dated AS (
    SELECT
        *, max(measured_at) OVER (PARTITION BY subject_no, figure_no, member) AS newest,
        max(measured_at) FILTER (member = 'all') OVER (PARTITION BY subject_no, figure_no) AS newest_whole
    FROM measured
)
SELECT v.subject_no, v.figure_no, v.run_no, v.largest
FROM valid v
ANTI JOIN dated d
    ON d.subject_no = v.subject_no AND d.figure_no = v.figure_no AND d.run_no = v.run_no
    AND (d.measured_at < d.newest OR d.measured_at < d.newest_whole)
