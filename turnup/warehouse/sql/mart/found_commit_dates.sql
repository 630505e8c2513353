-- table: core.found_commit_dates
-- grain: one row is a contract line whose delivered dates differ from those in force
-- key: code, item
SELECT
    'date_moved_without_decision' AS code, 'error' AS severity, 'commitments' AS dataset, l.system_key,
    concat_ws('/', l.contract, l.line, l.phase) AS subject,
    concat_ws('/', l.contract_key, l.line_key, l.phase_key) AS item,
    d._ingest, d._row, d._sheet,
    concat_ws(' and ',
        CASE WHEN d.claimed_contract_date <> d.contract_date
            THEN 'contract date ' || d.contract_date || ' was changed to ' || d.claimed_contract_date END,
        CASE WHEN d.claimed_internal_date IS DISTINCT FROM d.internal_commit_date
            THEN 'internal commit date ' || d.internal_commit_date || ' was changed to '
                || coalesce(d.claimed_internal_date::VARCHAR, 'none') END
    ) || ' without an amendment or an approved decision; the old date stays in force' AS message
FROM core.commit_dates d
JOIN core.commitment_lines l
    ON l.contract_key = d.contract_key AND l.line_key = d.line_key AND l.phase_key = d.phase_key
WHERE d.held
