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
),
several AS (SELECT po_key, line_key FROM lots GROUP BY ALL HAVING count(*) > 1),
numbered AS (
    SELECT
        po_key, line_key, told_no, promised,
        dense_rank() OVER (PARTITION BY po_key, line_key ORDER BY told_no) AS version,
        sum(quantity) OVER (PARTITION BY po_key, line_key, told_no ORDER BY promised) AS cumulative,
        sum(quantity) OVER (PARTITION BY po_key, line_key, told_no) AS scheduled,
        told_no = max(told_no) OVER (PARTITION BY po_key, line_key) AS is_newest
    FROM lots SEMI JOIN several USING (po_key, line_key)
),
placed AS (
    SELECT
        l.*, coalesce(n.version, 1) AS version, coalesce(n.cumulative, l.quantity) AS cumulative,
        coalesce(n.scheduled, l.quantity)::DECIMAL(18, 3) AS scheduled, coalesce(n.is_newest, true) AS is_newest,
        greatest(0, coalesce(o.ordered, 0) - coalesce(n.scheduled, l.quantity)::DECIMAL(18, 3)) AS left_out
    FROM lots l
    LEFT JOIN numbered n
        ON n.po_key = l.po_key AND n.line_key = l.line_key AND n.told_no = l.told_no AND n.promised = l.promised
    LEFT JOIN core.order_lines o ON o.po_key = l.po_key AND o.line_key = l.line_key
),
arrived AS (
    SELECT p.po_key, p.line_key, p.told_no, p.promised, max(a.cumulative) AS cumulative
    FROM placed p JOIN core.line_arrivals a ON a.po_key = p.po_key AND a.line_key = p.line_key AND a.arrived <= p.told_on
    WHERE p.left_out > 0
    GROUP BY ALL
)
SELECT
    t.po_key,
    t.line_key,
    t.version::INTEGER AS version,
    t.promised,
    t.quantity::DECIMAL(18, 3) AS quantity,
    t.cumulative::DECIMAL(18, 3) AS cumulative,
    t.scheduled,
    least(coalesce(a.cumulative, 0), t.left_out)::DECIMAL(18, 3) AS arrived_before,
    t.is_newest,
    t.told_on,
    t.until_on,
    t._ingest,
    t._row,
    t._sheet
FROM placed t
LEFT JOIN arrived a
    ON a.po_key = t.po_key AND a.line_key = t.line_key AND a.told_no = t.told_no AND a.promised = t.promised
