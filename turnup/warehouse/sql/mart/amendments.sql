-- table: mart.amendments
-- grain: one row is an amendment of a contract line and phase: what it changed, and whether it is in force
-- key: contract_key, line_key, phase_key, amendment
-- from_*: as the signed amendment before it said; none for the first. Of an option that is not exercised nothing counts,
-- so exercising it is scope. state: in force, superseded, not signed, option not exercised.
WITH stated AS (
    SELECT
        c.*, coalesce(c.signed, true) AS is_signed,
        CASE WHEN coalesce(c.is_option, false) AND NOT coalesce(c.option_exercised, false) THEN 0
            ELSE c.quantity END AS counted
    FROM stg.commitments c
    QUALIFY row_number() OVER (PARTITION BY c.contract_key, c.line_key, c.phase_key, c.amendment
        ORDER BY c._ingest, c._sheet, c._row) = 1
),
placed AS (
    SELECT
        *,
        max(amendment) FILTER (is_signed) OVER (
            PARTITION BY contract_key, line_key, phase_key ORDER BY amendment ROWS BETWEEN UNBOUNDED PRECEDING
            AND 1 PRECEDING
        ) AS before_no,
        max(amendment) FILTER (is_signed) OVER (PARTITION BY contract_key, line_key, phase_key) AS newest_no,
        count(*) OVER (PARTITION BY contract_key, line_key, phase_key) AS amendments
    FROM stated
)
SELECT
    n.contract_key, n.line_key, n.phase_key, n.contract, n.line, n.phase, n.amendment, n.amendments::INTEGER AS amendments,
    coalesce(s.system_id, n.system_id) AS system_id, s.kind, n.unit,
    CASE
        WHEN NOT n.is_signed THEN 'not signed'
        WHEN n.amendment < n.newest_no THEN 'superseded'
        WHEN n.counted = 0 AND n.quantity > 0 THEN 'option not exercised'
        ELSE 'in force'
    END AS state,
    b.counted::DECIMAL(18, 3) AS from_quantity,
    n.counted::DECIMAL(18, 3) AS to_quantity,
    n.quantity::DECIMAL(18, 3) AS quantity,
    (n.counted - b.counted)::DECIMAL(18, 3) AS scope,
    b.contract_date AS from_date,
    n.contract_date AS to_date,
    (n.contract_date - b.contract_date)::INTEGER AS moved_days,
    n.internal_commit_date, n.need_date, n.supersedes, n.reason, n.decision_id,
    n._ingest, n._row, n._sheet
FROM placed n
LEFT JOIN stated b
    ON b.contract_key = n.contract_key AND b.line_key = n.line_key AND b.phase_key = n.phase_key
    AND b.amendment = n.before_no
LEFT JOIN core.systems s ON s.system_key = n.system_id_key
