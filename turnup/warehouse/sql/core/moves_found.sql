-- table: core.moves_found
-- grain: one row is a piece (or a share of an order line) that earlier deliveries gave to another system than it has now
-- key: item, from_key, to_key
-- Pieces: a serial number of one part that stood, not planned, in one system and now stands in another. Between its first
-- and its present home it may have been elsewhere; back where it began it has not moved. Orders: what a line was first
-- allocated to one system and is allocated to another now; more for one without less for another is no move.
WITH places AS (
    SELECT *, until_no IS NULL AS stands
    FROM stg.installs_told
    WHERE serial_key IS NOT NULL AND system_id_key IS NOT NULL AND status NOT IN ('planned', 'decommissioning')
        AND coalesce(purpose, 'production') = 'production'
),
wanderers AS (
    SELECT serial_key, part_number_key FROM places
    GROUP BY serial_key, part_number_key HAVING min(system_id_key) <> max(system_id_key)
),
homes AS (
    SELECT
        serial_key, part_number_key AS part_key, min(part_number) AS part_number,
        arg_min(system_id_key, (told_at, stands, _source, told_no)) AS from_key,
        arg_max(system_id_key, (told_at, _source, told_no)) FILTER (stands) AS to_key,
        arg_max(told_on, (told_at, _source, told_no)) FILTER (stands) AS moved_on,
        arg_max(asset_id_key, (told_at, _source, told_no)) FILTER (stands) AS asset_key,
        list(DISTINCT system_id_key) FILTER (stands) AS standing,
        arg_max_null(_ingest, (told_at, _source, told_no)) FILTER (stands) AS _ingest,
        arg_max_null(_row, (told_at, _source, told_no)) FILTER (stands) AS _row,
        arg_max_null(_sheet, (told_at, _source, told_no)) FILTER (stands) AS _sheet
    FROM places
    SEMI JOIN wanderers w ON w.serial_key = places.serial_key AND w.part_number_key = places.part_number_key
    GROUP BY serial_key, part_number_key
),
retold AS (
    SELECT _source, po_key, line_key FROM stg.po_allocations_told
    GROUP BY ALL HAVING max(told_no) > min(told_no) OR count(until_no) > 0
),
shares AS (
    SELECT
        _source, po_key, line_key, system_id_key AS system_key, min(po || '/' || line) AS order_line,
        sum(quantity) FILTER (told_no = first_no) AS first_quantity,
        sum(quantity) FILTER (until_no IS NULL) AS quantity,
        max(greatest(told_on, until_on)) AS moved_on,
        arg_max_null(_ingest, told_no) AS _ingest, arg_max_null(_row, told_no) AS _row,
        arg_max_null(_sheet, told_no) AS _sheet
    FROM (
        SELECT t.*, min(t.told_no) OVER (PARTITION BY t._source, t.po_key, t.line_key) AS first_no
        FROM stg.po_allocations_told t
        SEMI JOIN retold r ON r._source = t._source AND r.po_key = t.po_key AND r.line_key = t.line_key
    )
    GROUP BY _source, po_key, line_key, system_id_key
),
changed AS (
    SELECT
        *, abs(coalesce(quantity, 0) - coalesce(first_quantity, 0)) AS size,
        coalesce(quantity, 0) > coalesce(first_quantity, 0) AS gains,
        sum(abs(coalesce(quantity, 0) - coalesce(first_quantity, 0))) OVER (
            PARTITION BY _source, po_key, line_key, coalesce(quantity, 0) > coalesce(first_quantity, 0) ORDER BY system_key
        ) AS ends
    FROM shares WHERE coalesce(quantity, 0) <> coalesce(first_quantity, 0)
),
reallocated AS (
    SELECT
        l.po_key, l.line_key, l.order_line, l.system_key AS from_key, g.system_key AS to_key,
        sum(least(l.ends, g.ends) - greatest(l.ends - l.size, g.ends - g.size)) AS pieces,
        max(greatest(l.moved_on, g.moved_on)) AS moved_on,
        min(g._ingest) AS _ingest, arg_min_null(g._row, (g._ingest, g._row)) AS _row,
        arg_min_null(g._sheet, (g._ingest, g._row)) AS _sheet
    FROM changed l
    JOIN changed g
        ON g._source = l._source AND g.po_key = l.po_key AND g.line_key = l.line_key
        AND g.ends - g.size < l.ends AND l.ends - l.size < g.ends
    WHERE g.gains AND NOT l.gains
    GROUP BY l.po_key, l.line_key, l.order_line, l.system_key, g.system_key
)
SELECT
    'serial ' || h.serial_key || '/' || h.part_key AS item, 'installs' AS dataset, h.from_key, h.to_key, h.part_key,
    1::DECIMAL(18, 3) AS pieces, h.moved_on, h.asset_key, a.name_key, h.serial_key, NULL AS order_key,
    coalesce(a.name, a.serial, h.serial_key) AS subject, h._ingest, h._row, h._sheet
FROM homes h
LEFT JOIN core.assets a ON a.asset_key = h.asset_key
WHERE h.from_key <> h.to_key AND NOT list_contains(h.standing, h.from_key)
UNION ALL
SELECT
    'order ' || r.po_key || '/' || r.line_key, 'po_allocations', r.from_key, r.to_key, l.part_key, r.pieces,
    r.moved_on, NULL, NULL, NULL, r.po_key || '/' || r.line_key, r.order_line, r._ingest, r._row, r._sheet
FROM reallocated r
JOIN core.order_lines l ON l.po_key = r.po_key AND l.line_key = r.line_key
