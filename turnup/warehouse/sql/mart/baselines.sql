-- table: mart.baselines
-- grain: one row is a pair of dates that a contract line and phase has, or had, in force
-- key: contract_key, line_key, phase_key, baseline_no
-- The first is kept for good, a replaced one for 13 weeks. set_by: the first signed line, an amendment, or a decision.
WITH before AS (
    SELECT *
    FROM past_baselines
    QUALIFY rank() OVER (PARTITION BY contract_key, line_key, phase_key ORDER BY week DESC) = 1
),
newest AS (
    SELECT * FROM before
    QUALIFY row_number() OVER (PARTITION BY contract_key, line_key, phase_key ORDER BY baseline_no DESC) = 1
),
lines AS (
    SELECT
        l.contract_key, l.line_key, l.phase_key, l.contract_date, l.internal_commit_date, d.first_contract_date,
        d.first_internal_date, p.as_of,
        n.baseline_no AS last_no,
        CASE WHEN d.by_amendment THEN concat_ws(', ', 'amendment ' || l.amendment, d.decisions)
            ELSE 'decision ' || d.decisions END AS moved_by,
        CASE WHEN n.baseline_no IS NULL
            THEN l.contract_date <> d.first_contract_date
                OR l.internal_commit_date IS DISTINCT FROM d.first_internal_date
            ELSE l.contract_date <> n.contract_date OR l.internal_commit_date IS DISTINCT FROM n.internal_commit_date
            END AS is_moved
    FROM core.commitment_lines l
    CROSS JOIN core.settings p
    JOIN core.commit_dates d
        ON d.contract_key = l.contract_key AND d.line_key = l.line_key AND d.phase_key = l.phase_key
    LEFT JOIN newest n
        ON n.contract_key = l.contract_key AND n.line_key = l.line_key AND n.phase_key = l.phase_key
),
every AS (
    SELECT
        b.contract_key, b.line_key, b.phase_key, b.baseline_no, b.contract_date, b.internal_commit_date, b.set_on,
        b.set_by, CASE WHEN b.baseline_no = l.last_no AND l.is_moved THEN l.as_of ELSE b.replaced_on END AS replaced_on
    FROM before b
    JOIN lines l ON l.contract_key = b.contract_key AND l.line_key = b.line_key AND l.phase_key = b.phase_key
    UNION ALL
    SELECT
        contract_key, line_key, phase_key, 1, first_contract_date, first_internal_date, as_of, 'first signed line',
        CASE WHEN is_moved THEN as_of END
    FROM lines WHERE last_no IS NULL
    UNION ALL
    SELECT
        contract_key, line_key, phase_key, coalesce(last_no, 1) + 1, contract_date, internal_commit_date, as_of,
        moved_by, NULL
    FROM lines WHERE is_moved
)
SELECT
    e.contract_key,
    e.line_key,
    e.phase_key,
    e.baseline_no::INTEGER AS baseline_no,
    l.contract,
    l.line,
    l.phase,
    l.system_id,
    e.contract_date,
    e.internal_commit_date,
    e.set_on,
    e.set_by,
    e.replaced_on
FROM every e
JOIN core.commitment_lines l
    ON l.contract_key = e.contract_key AND l.line_key = e.line_key AND l.phase_key = e.phase_key
CROSS JOIN core.settings p
WHERE e.baseline_no = 1 OR e.replaced_on IS NULL OR e.replaced_on > p.as_of - 91
