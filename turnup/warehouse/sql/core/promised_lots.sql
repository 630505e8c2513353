-- table: core.promised_lots
-- grain: one row is a day for which a schedule of a purchase order line promised pieces; version n is the n-th schedule told
-- key: po_key, line_key, version, promised
-- A schedule is all that stands of a line after a delivery that changed any of it. Where several sources tell of a line,
-- the one that spoke last is believed. Some lists leave out what has arrived: arrived_before are those pieces, as far as
-- the schedule is short of the order.
WITH retold AS (
    SELECT po_key, line_key FROM stg.po_schedule_told
    GROUP BY ALL HAVING max(told_no) > min(told_no) OR count(until_no) > 0 OR min(_source) <> max(_source)
),
changing AS (
    SELECT t.* FROM stg.po_schedule_told t SEMI JOIN retold r ON r.po_key = t.po_key AND r.line_key = t.line_key
),
points AS (
    SELECT _source, po_key, line_key, told_no, told_at, told_on FROM changing
    UNION
    SELECT _source, po_key, line_key, until_no, until_at, until_on FROM changing WHERE until_no IS NOT NULL
),
believed AS (
    SELECT po_key, line_key, arg_max(_source, (told_at, _source)) AS _source FROM points GROUP BY ALL
),
spans AS (
    SELECT p.*, lead(p.told_on) OVER (PARTITION BY p.po_key, p.line_key ORDER BY p.told_no) AS until_on
    FROM points p JOIN believed b USING (po_key, line_key, _source)
),
standing AS (
    SELECT s.told_no AS schedule_no, s.told_on AS schedule_on, s.until_on AS schedule_until, t.*
    FROM spans s
    JOIN changing t
        ON t._source = s._source AND t.po_key = s.po_key AND t.line_key = s.line_key
        AND t.told_no <= s.told_no AND (t.until_no IS NULL OR t.until_no > s.told_no)
    UNION ALL
    SELECT t.told_no, t.told_on, NULL, t.*
    FROM stg.po_schedule_told t ANTI JOIN retold r ON r.po_key = t.po_key AND r.line_key = t.line_key
),
lots AS (
    SELECT
        po_key, line_key, schedule_no AS told_no, schedule_on AS told_on, schedule_until AS until_on, promised,
        sum(quantity) AS quantity,
        arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM standing WHERE quantity > 0
    GROUP BY po_key, line_key, schedule_no, schedule_on, schedule_until, promised
)
SELECT
    t.po_key,
    t.line_key,
    dense_rank() OVER (PARTITION BY t.po_key, t.line_key ORDER BY t.told_no)::INTEGER AS version,
    t.promised,
    t.quantity::DECIMAL(18, 3) AS quantity,
    (sum(t.quantity) OVER (PARTITION BY t.po_key, t.line_key, t.told_no ORDER BY t.promised))::DECIMAL(18, 3)
        AS cumulative,
    (sum(t.quantity) OVER (PARTITION BY t.po_key, t.line_key, t.told_no))::DECIMAL(18, 3) AS scheduled,
    least(coalesce(a.cumulative, 0), greatest(0, coalesce(o.ordered, 0) - scheduled))::DECIMAL(18, 3)
        AS arrived_before,
    t.told_no = max(t.told_no) OVER (PARTITION BY t.po_key, t.line_key) AS is_newest,
    t.told_on,
    t.until_on,
    t._ingest,
    t._row,
    t._sheet
FROM lots t
LEFT JOIN core.order_lines o ON o.po_key = t.po_key AND o.line_key = t.line_key
ASOF LEFT JOIN core.line_arrivals a ON a.po_key = t.po_key AND a.line_key = t.line_key AND a.arrived <= t.told_on
