-- table: core.bom_risks
-- grain: one row is a fitted line of a bill of material whose part is held in an old revision or will be gone
-- key: system_key, line_key
WITH judged AS (
    SELECT
        *,
        replace(lower(trim(revision_status)), '-', ' ') = 'out of date' AS outdated,
        coalesce(regexp_matches(lower(lifecycle),
            'not recommended|nrnd|obsolete|end of life|\beol\b|last time buy|\bltb\b|discontinued|phase.?out'), false) AS ending
    FROM core.bom_lines WHERE fitted
)
SELECT
    system_key, line_key, line, part_number, revision, revision_status, lifecycle, coalesce(outdated, false) AS outdated,
    ending, _ingest, _row, _sheet
FROM judged WHERE outdated OR ending
