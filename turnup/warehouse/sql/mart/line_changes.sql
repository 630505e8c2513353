-- table: core.line_changes
-- grain: one row is a contract line that is behind a system's change of scope, with its share of it
-- key: kind, system_key, contract, line, phase
-- Lines fill the change in order of their contract date: one that grew where scope came, one that shrank where it went.
WITH before AS (SELECT h.* FROM past_commitments h JOIN core.settings p ON h.week = p.previous_week),
changed AS (
    SELECT
        coalesce(n.kind, b.kind) AS kind,
        coalesce(n.system_key, b.system_key) AS system_key,
        coalesce(n.contract, b.contract) AS contract,
        coalesce(n.line, b.line) AS line,
        coalesce(n.phase, b.phase) AS phase,
        coalesce(n.quantity, 0) - coalesce(b.quantity, 0) AS delta,
        coalesce(n.contract_date, DATE '9999-12-31') AS contract_date,
        CASE
            WHEN n.line IS NULL THEN 'line ' || figure(b.quantity) || ' is no longer in force'
            WHEN b.line IS NULL THEN concat_ws(' ', 'line of', figure(n.quantity), 'came into force',
                CASE WHEN n.amendment > 0 THEN '(amendment ' || n.amendment || ')' END)
            WHEN n.amendment IS DISTINCT FROM b.amendment THEN
                concat_ws(' ', 'amendment', n.amendment || ':', figure(b.quantity), '->', figure(n.quantity))
            ELSE concat_ws(' ', 'line corrected:', figure(b.quantity), '->', figure(n.quantity))
        END AS cause,
        n._ingest,
        n._row,
        n._sheet
    FROM core.commitment_lines n
    FULL JOIN before b
        ON b.contract = n.contract AND b.line = n.line AND b.phase = n.phase AND b.system_key = n.system_key
        AND b.kind = n.kind
    WHERE coalesce(n.quantity, 0) <> coalesce(b.quantity, 0)
),
ordered AS (
    SELECT
        c.*,
        s.scope,
        abs(c.delta) AS size,
        coalesce(sum(abs(c.delta)) OVER (
            PARTITION BY c.kind, c.system_key ORDER BY c.contract_date, c.contract, c.line, c.phase
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS size_before
    FROM changed c
    JOIN core.change_systems s ON s.system_key = c.system_key AND s.kind = c.kind
    WHERE s.scope * c.delta > 0 AND NOT s.is_gone
)
SELECT
    kind,
    system_key,
    contract,
    line,
    phase,
    (sign(scope) * least(size, abs(scope) - size_before))::DECIMAL(18, 3) AS quantity,
    cause,
    _ingest,
    _row,
    _sheet
FROM ordered
WHERE size_before < abs(scope)
