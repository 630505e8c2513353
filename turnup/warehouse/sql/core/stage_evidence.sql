-- table: core.stage_evidence
-- grain: one row is a row of evidence for the capacity of a system at a stage
-- key: system_key, stage, evidence_no
-- The rows of a system and stage add up to the funnel's figure: where the funnel caps (commitment, stage before, a
-- shared order line) or where a later record proves more, one row says by how much and why.
WITH rows AS (
    SELECT
        system_key, 'contracted' AS stage, NULL AS unit_key, contract || '/' || line || '/' || phase AS unit_id,
            NULL AS block_key,
        quantity AS value, 'commitments' AS dataset, _ingest, _row, _sheet, NULL::TIMESTAMP AS observed_at,
        'contract date ' || contract_date AS note
    FROM core.commitment_lines
    UNION ALL
    SELECT
        a.system_key, 'ordered', NULL, a.part_number, NULL, a.quantity * c.capacity_per_unit, 'po_allocations',
        a._ingest, a._row, a._sheet, NULL, a.quantity || ' x ' || c.capacity_per_unit
    FROM core.allocations a
    JOIN core.capacity_parts c ON c.system_key = a.system_key AND c.part_key = a.part_key
    UNION ALL
    SELECT
        a.system_key, g.event, NULL, g.goods_id, NULL, g.quantity * c.capacity_per_unit, g.dataset,
        g._ingest, g._row, g._sheet, NULL, g.quantity || ' x ' || c.capacity_per_unit
    FROM core.goods g
    JOIN core.allocations a ON a.po_key = g.po_key AND a.line_key = g.po_line_key
    JOIN core.capacity_parts c ON c.system_key = a.system_key AND c.part_key = a.part_key
    WHERE g.event = 'shipped' OR (g.event = 'received' AND g.site_key = a.site_key)
    UNION ALL
    SELECT
        n.system_key, g.event, NULL, g.goods_id, NULL, g.quantity * c.capacity_per_unit, g.dataset,
        g._ingest, g._row, g._sheet, NULL, g.quantity || ' x ' || c.capacity_per_unit
    FROM core.goods g
    JOIN core.part_needs n ON n.site_key = g.site_key AND n.part_key = g.part_key
    JOIN core.capacity_parts c ON c.system_key = n.system_key AND c.part_key = n.part_key
    WHERE (g.po_key IS NULL OR g.po_line_key IS NULL) AND g.event IN ('shipped', 'received')
    UNION ALL
    SELECT
        u.system_key, u.stage, u.unit_key, u.unit_id, u.block_key, u.quantity, u.dataset,
        u._ingest, u._row, u._sheet, u.observed_at, concat_ws('; ', u.note, 'waiver ' || u.waiver_id)
    FROM core.unit_stages u
    JOIN core.systems s ON s.system_key = u.system_key
    WHERE u.reached AND u.applicable AND (s.unit_source <> 'asset' OR u.stage_no > 3)
),
totals AS (SELECT system_key, stage, sum(value) AS value FROM rows GROUP BY ALL),
adjusted AS (
    SELECT * FROM rows
    UNION ALL
    SELECT
        f.system_key, f.stage, NULL, 'adjustment', NULL, f.reached - coalesce(t.value, 0), 'funnel', NULL, NULL,
            NULL, NULL,
        CASE WHEN f.reached < coalesce(t.value, 0)
            THEN 'capped at the commitment, at the stage before, or shared with other systems'
            ELSE 'proven by receipts or serial numbers'
        END
    FROM core.funnel f
    LEFT JOIN totals t ON t.system_key = f.system_key AND t.stage = f.stage
    WHERE f.applicable AND f.reached <> coalesce(t.value, 0)
)
SELECT
    s.system_key,
    s.system_id,
    a.stage,
    row_number() OVER (
        PARTITION BY a.system_key, a.stage
            ORDER BY a.dataset = 'funnel', a.unit_id, a.unit_key, a.dataset, a._ingest, a._row
    ) AS evidence_no,
    a.* EXCLUDE (system_key, stage)
FROM adjusted a
JOIN core.systems s ON s.system_key = a.system_key
