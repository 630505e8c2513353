-- table: core.waivers
-- grain: one row is a waiver that was not closed
-- key: id_key
-- In force: it stands for some criterion today (core.waiver_covers); covers_gate: for every criterion of its gate.
-- expiry is its last day, which the playbook may set earlier than written. flaw says why it stands for nothing.
WITH covers AS (
    SELECT
        id_key,
        bool_or(flaw IS NULL) AS in_force,
        bool_and(whole_gate AND flaw IS NULL) AS covers_gate,
        coalesce(min(last_day) FILTER (flaw IS NULL), max(last_day)) AS last_day,
        arg_min(flaw, (flaw <> 'expired', criterion)) FILTER (flaw IS NOT NULL) AS flaw,
        bool_or(waiver_days > 0 AND last_day < expiry) AS is_too_long,
        max(waiver_days) AS longest_days,
        arg_min(array_to_string(waiver_by, ', '), criterion) FILTER (len(waiver_by) > 0) AS may_waive
    FROM core.waiver_covers GROUP BY id_key
)
SELECT
    w.* EXCLUDE (expiry),
    coalesce(c.last_day, w.expiry) AS expiry,
    w.expiry AS written_expiry,
    coalesce(c.in_force, false) AS in_force,
    coalesce(c.covers_gate, false) AS covers_gate,
    CASE
        WHEN coalesce(c.in_force, false) THEN NULL
        WHEN c.id_key IS NULL THEN 'covers nothing'
        ELSE c.flaw
    END AS flaw,
    coalesce(c.is_too_long, false) AS is_too_long,
    c.longest_days,
    c.may_waive
FROM core.waiver_rows w
LEFT JOIN covers c ON c.id_key = w.id_key
