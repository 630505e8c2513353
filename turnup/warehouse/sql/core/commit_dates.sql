-- table: core.commit_dates
-- grain: one row is a contract line and phase: the dates in force, and those that its newest delivery gives
-- key: contract_key, line_key, phase_key
-- Dates once issued move only with a higher signed amendment, or with a closed, approved decision or change of the RAID
-- log whose scope names the line (contract/line or contract/line/phase); each entry serves one move. Else the old dates
-- stay in force. decisions: what the move of this week rests on.
WITH signed AS (
    SELECT
        *,
        row_number() OVER latest AS newest,
        first(contract_date) OVER earliest AS first_contract_date,
        first(internal_commit_date) OVER earliest AS first_internal_date
    FROM stg.commitments
    WHERE coalesce(signed, true)
    WINDOW
        latest AS (PARTITION BY contract_key, line_key, phase_key ORDER BY amendment DESC, _ingest, _sheet, _row),
        earliest AS (PARTITION BY contract_key, line_key, phase_key ORDER BY amendment, _ingest, _sheet, _row)
),
earlier AS (
    SELECT *, lower(trim(contract)) AS contract_key, lower(trim(line)) AS line_key, lower(trim(phase)) AS phase_key
    FROM past_commitments
),
last_seen AS (
    SELECT * FROM earlier
    QUALIFY row_number() OVER (PARTITION BY contract_key, line_key, phase_key ORDER BY week DESC, contract, line) = 1
),
first_issued AS (
    SELECT
        contract_key, line_key, phase_key,
        arg_min(first_contract_date, week) AS first_contract_date,
        arg_min(first_internal_date, week) AS first_internal_date
    FROM earlier WHERE first_contract_date IS NOT NULL GROUP BY ALL
),
used AS (
    SELECT DISTINCT contract_key, line_key, phase_key, unnest(string_split(date_decisions, ', ')) AS id
    FROM earlier WHERE date_decisions IS NOT NULL
),
approvals AS (
    SELECT r.id, trim(unnest(regexp_split_to_array(lower(r.scope), '[;,]'))) AS named
    FROM core.raid_items r
    CROSS JOIN core.settings p
    WHERE r.closed <= p.as_of AND r.missing_since IS NULL AND r.refused IS NULL
      AND ((r.type = 'change' AND trim(r.approver) <> '')
          OR (r.type = 'decision' AND trim(coalesce(r.approver, r.decider)) <> '' AND trim(r.outcome) <> ''))
      AND NOT regexp_matches(coalesce(lower(trim(r.outcome)), ''),
          '^(not |no\b|reject|declin|denied|deny|withdrawn|cancel|defer|refus)')
),
free AS (
    SELECT s.contract_key, s.line_key, s.phase_key, string_agg(DISTINCT a.id, ', ' ORDER BY a.id) AS ids
    FROM signed s
    JOIN approvals a
        ON a.named IN (s.contract_key || '/' || s.line_key, s.contract_key || '/' || s.line_key || '/' || s.phase_key)
    ANTI JOIN used u
        ON u.contract_key = s.contract_key AND u.line_key = s.line_key AND u.phase_key = s.phase_key AND u.id = a.id
    WHERE s.newest = 1
    GROUP BY ALL
),
compared AS (
    SELECT
        s.*,
        e.contract_date AS date_before,
        e.internal_commit_date AS internal_before,
        f.ids,
        e.contract IS NULL OR e.amendment IS NULL OR s.amendment > e.amendment AS by_amendment,
        coalesce(e.contract_date <> s.contract_date, false)
            OR coalesce(e.internal_commit_date IS DISTINCT FROM s.internal_commit_date
                AND e.internal_commit_date IS NOT NULL, false) AS moved,
        i.first_contract_date AS contract_issued,
        i.first_internal_date AS internal_issued
    FROM signed s
    LEFT JOIN last_seen e
        ON e.contract_key = s.contract_key AND e.line_key = s.line_key AND e.phase_key = s.phase_key
    LEFT JOIN first_issued i
        ON i.contract_key = s.contract_key AND i.line_key = s.line_key AND i.phase_key = s.phase_key
    LEFT JOIN free f ON f.contract_key = s.contract_key AND f.line_key = s.line_key AND f.phase_key = s.phase_key
    WHERE s.newest = 1
)
SELECT
    contract_key,
    line_key,
    phase_key,
    amendment,
    contract_date AS claimed_contract_date,
    internal_commit_date AS claimed_internal_date,
    moved AND NOT by_amendment AND ids IS NULL AS held,
    CASE WHEN moved AND NOT by_amendment AND ids IS NULL THEN date_before ELSE contract_date END AS contract_date,
    CASE WHEN moved AND NOT by_amendment AND ids IS NULL THEN internal_before ELSE internal_commit_date
        END AS internal_commit_date,
    CASE WHEN by_amendment OR moved THEN ids END AS decisions,
    by_amendment,
    coalesce(contract_issued, first_contract_date) AS first_contract_date,
    coalesce(internal_issued, first_internal_date) AS first_internal_date,
    _ingest,
    _row,
    _sheet
FROM compared
