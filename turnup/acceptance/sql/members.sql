-- table: acceptance.members
-- grain: one row is a member that most subjects of an expectation have a figure for
-- key: baseline_no, figure_no, member
-- A node that lacks one of them (the eighth GPU of a test) has a hole, which no mean may hide.
SELECT j.baseline_no, j.figure_no, j.member
FROM acceptance.judged j
JOIN (
    SELECT baseline_no, figure_no, count(*) AS subjects FROM acceptance.fitting WHERE is_chosen GROUP BY ALL
) s ON s.baseline_no = j.baseline_no AND s.figure_no = j.figure_no
GROUP BY j.baseline_no, j.figure_no, j.member, s.subjects
HAVING 2 * count(*) > s.subjects
