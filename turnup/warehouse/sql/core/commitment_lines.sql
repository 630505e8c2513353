-- table: core.commitment_lines
-- grain: one row is a contract line and phase in force at the data date
-- key: contract_key, line_key, phase_key
-- In force: signed, the latest signed amendment, options only when exercised, quantity in the unit of the system's
-- kind; the dates are those of core.commit_dates.
WITH signed AS (
    SELECT
        c.*,
        row_number() OVER (
            PARTITION BY contract_key, line_key, phase_key ORDER BY amendment DESC, _ingest, _sheet, _row
        ) AS newest
    FROM stg.commitments c
    WHERE coalesce(signed, true)
)
SELECT
    c.contract_key,
    c.line_key,
    c.phase_key,
    c.contract,
    c.line,
    c.phase,
    c.amendment,
    s.system_key,
    s.system_id,
    s.kind,
    s.unit,
    c.quantity::DECIMAL(18, 3) AS quantity,
    d.contract_date,
    d.first_contract_date,
    d.internal_commit_date,
    c.need_date,
    c.billing_start,
    c.unit_cost::DECIMAL(18, 2) AS unit_cost,
    c.currency,
    s.owner,
    d.contract_date <= p.as_of AS due_now,
    (sum(c.quantity) OVER (
        PARTITION BY s.system_key ORDER BY d.contract_date, c.contract_key, c.line_key, c.phase_key
    ))::DECIMAL(18, 3) AS cumulative,
    c._ingest,
    c._row,
    c._sheet
FROM signed c
CROSS JOIN core.settings p
JOIN core.commit_dates d
    ON d.contract_key = c.contract_key AND d.line_key = c.line_key AND d.phase_key = c.phase_key
JOIN core.systems s ON s.system_key = c.system_id_key AND s.unit = c.unit
WHERE c.newest = 1
  AND (NOT coalesce(c.is_option, false) OR coalesce(c.option_exercised, false))
  AND c.quantity > 0
