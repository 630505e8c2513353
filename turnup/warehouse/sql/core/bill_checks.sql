-- table: core.bill_checks
-- grain: one row is a figure of a system's bill of material beside the same figure from another plan
-- key: system_key, check_name, item
-- optics: one optic a cage, so the ports of a breakout need one (servers and switches apart where both tell them
-- apart). modules: what the register has within devices, by part.
WITH optics AS (
    SELECT
        system_key,
        CASE
            WHEN contains(lower(bill_section), 'server') THEN 'server'
            WHEN contains(lower(bill_section), 'switch') THEN 'switch'
            ELSE 'any'
        END AS side,
        needed, _ingest, _row, _sheet
    FROM core.bom_lines WHERE category = 'optic' AND fitted
),
told AS (
    SELECT system_key, bool_and(side <> 'any') AS apart FROM optics GROUP BY system_key
),
cages AS (
    SELECT DISTINCT
        e.system_key, e.device_key, e.cage_key,
        CASE
            WHEN regexp_matches(lower(e.role), 'switch|leaf|spine|tor|core|border|aggregation') THEN 'switch'
            WHEN regexp_matches(lower(e.role), 'server|compute|host|node') THEN 'server'
            ELSE 'any'
        END AS side
    FROM core.cable_ends e
    WHERE e."view" = 'planned' AND e.system_key IS NOT NULL
      AND NOT coalesce(regexp_matches(lower(e.media), '\b(dac|aoc|acc|aec|copper|cat ?\d\w?|rj-?45|utp)\b'), false)
),
by_role AS (
    SELECT system_key, bool_and(side <> 'any') AS apart FROM cages GROUP BY system_key
),
bill AS (
    SELECT
        o.system_key, CASE WHEN t.apart AND r.apart THEN o.side ELSE 'any' END AS side, sum(o.needed) AS pieces,
        arg_min_null(o._ingest, (o._ingest, o._row)) AS _ingest, arg_min_null(o._row, (o._ingest, o._row)) AS _row,
        arg_min_null(o._sheet, (o._ingest, o._row)) AS _sheet
    FROM optics o JOIN told t ON t.system_key = o.system_key JOIN by_role r ON r.system_key = o.system_key
    GROUP BY o.system_key, 2
),
plan AS (
    SELECT c.system_key, CASE WHEN t.apart AND r.apart THEN c.side ELSE 'any' END AS side, count(*) AS pieces
    FROM cages c JOIN told t ON t.system_key = c.system_key JOIN by_role r ON r.system_key = c.system_key
    GROUP BY c.system_key, 2
),
register AS (
    SELECT
        system_id_key AS system_key, part_number_key AS part_key, count(*) AS pieces,
        arg_min_null(_ingest, (_ingest, _row)) AS _ingest, arg_min_null(_row, (_ingest, _row)) AS _row,
        arg_min_null(_sheet, (_ingest, _row)) AS _sheet
    FROM core.assets
    WHERE (parent_asset IS NOT NULL OR parent_serial IS NOT NULL) AND part_number_key IS NOT NULL
      AND coalesce(status, 'planned') <> 'decommissioning' AND coalesce(purpose, 'production') = 'production'
    GROUP BY ALL
),
parts AS (
    SELECT system_key, part_key, min(part_number) AS part_number, coalesce(sum(needed) FILTER (fitted), 0) AS pieces
    FROM core.bom_lines GROUP BY ALL
)
SELECT
    coalesce(b.system_key, p.system_key) AS system_key, 'optics' AS check_name, coalesce(b.side, p.side) AS item,
    coalesce(b.pieces, 0)::DECIMAL(18, 3) AS in_bill, coalesce(p.pieces, 0)::DECIMAL(18, 3) AS elsewhere,
    'cages of the cable plan' AS beside, 'bom' AS dataset, b._ingest, b._row, b._sheet
FROM bill b FULL JOIN plan p ON p.system_key = b.system_key AND p.side = b.side
UNION ALL
SELECT
    r.system_key, 'modules', p.part_number, p.pieces::DECIMAL(18, 3), r.pieces::DECIMAL(18, 3),
    'modules of the register', 'installs', r._ingest, r._row, r._sheet
FROM register r JOIN parts p ON p.system_key = r.system_key AND p.part_key = r.part_key
