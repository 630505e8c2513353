-- table: core.promise_moves
-- grain: one row is a quantity of a purchase order line that a schedule promises for another day than the one before
-- key: po_key, line_key, version, from_day, to_day
-- What both schedules promise for the same day did not move. Of the rest the latest days are matched first, so that a lot
-- which was received and left the list does not make the others look moved; what has no partner was added or dropped.
WITH lots AS (
    SELECT *, max(version) OVER (PARTITION BY po_key, line_key) AS versions FROM core.promised_lots
),
changed AS (
    SELECT
        po_key, line_key, version, promised,
        coalesce(now.quantity, 0) - coalesce(before.quantity, 0) AS change
    FROM (SELECT po_key, line_key, version + 1 AS version, promised, quantity FROM lots WHERE version < versions) before
    FULL JOIN (SELECT po_key, line_key, version, promised, quantity FROM lots WHERE version > 1) now
        USING (po_key, line_key, version, promised)
),
latest_first AS (
    SELECT
        *, abs(change) AS quantity,
        sum(abs(change)) OVER (PARTITION BY po_key, line_key, version, change > 0 ORDER BY promised DESC) AS ends
    FROM changed WHERE change <> 0
),
matched AS (
    SELECT
        l.po_key, l.line_key, l.version, l.promised AS from_day, a.promised AS to_day,
        least(l.ends, a.ends) - greatest(l.ends - l.quantity, a.ends - a.quantity) AS quantity
    FROM latest_first l
    JOIN latest_first a
        ON a.po_key = l.po_key AND a.line_key = l.line_key AND a.version = l.version
        AND a.ends - a.quantity < l.ends AND l.ends - l.quantity < a.ends
    WHERE l.change < 0 AND a.change > 0
)
SELECT
    m.po_key,
    m.line_key,
    m.version,
    m.from_day,
    m.to_day,
    m.quantity::DECIMAL(18, 3) AS quantity,
    (m.to_day - m.from_day)::INTEGER AS days,
    n.told_on,
    n._ingest,
    n._row,
    n._sheet
FROM matched m
JOIN core.promised_lots n
    ON n.po_key = m.po_key AND n.line_key = m.line_key AND n.version = m.version AND n.promised = m.to_day
