-- table: core.evidence_goods
-- grain: one row is a unit and one of the stages ordered, shipped, received
-- key: system_key, unit_key, stage
-- Assets whose serial (or whose parent's) is on a receipt at their site are received by name; the others fill the
-- quantities received without serials, furthest in the works first, so that the same units carry every early stage.
WITH parents AS (
    SELECT serial_key, min(parent_serial_key) AS parent_serial_key FROM core.assets
        WHERE serial_key IS NOT NULL GROUP BY ALL
),
serials AS (
    SELECT
        u.system_key, u.unit_key, s.site_key,
        unnest([u.serial_key, u.parent_serial_key, q.parent_serial_key]) AS serial_key
    FROM core.units u
    JOIN core.systems s ON s.system_key = u.system_key
    LEFT JOIN parents q ON q.serial_key = u.parent_serial_key
),
named AS (
    SELECT DISTINCT u.system_key, u.unit_key
    FROM serials u
    JOIN core.receipt_serials r ON r.serial_key = u.serial_key AND r.site_key = u.site_key AND r.place = 'site'
    CROSS JOIN core.settings p
    WHERE r.received <= p.as_of
),
progress AS (
    SELECT
        i.system_key,
        i.unit_key,
        i.has::INTEGER + coalesce(w.has, false)::INTEGER + coalesce(l.has, false)::INTEGER + coalesce(a.has,
            false)::INTEGER
            + coalesce(o.has, false)::INTEGER AS steps
    FROM core.evidence_installed i
    JOIN core.evidence_powered w USING (system_key, unit_key)
    JOIN core.evidence_l1_valid l USING (system_key, unit_key)
    JOIN core.evidence_accepted a USING (system_key, unit_key)
    JOIN core.evidence_schedulable o USING (system_key, unit_key)
),
ranked AS (
    SELECT
        u.*,
        n.unit_key IS NOT NULL AS by_serial,
        row_number() OVER (
            PARTITION BY u.system_key, u.part_key ORDER BY n.unit_key IS NULL, g.steps DESC, u.unit_key
        ) AS place,
        row_number() OVER (
            PARTITION BY u.system_key, u.part_key, n.unit_key IS NULL ORDER BY g.steps DESC, u.unit_key
        ) AS bulk_place,
        c.ordered AS circuit_ordered
    FROM core.units u
    JOIN progress g ON g.system_key = u.system_key AND g.unit_key = u.unit_key
    LEFT JOIN named n ON n.system_key = u.system_key AND n.unit_key = u.unit_key
    LEFT JOIN core.circuit_now c ON c.circuit_key = u.circuit_key
),
judged AS (
    SELECT
        r.*,
        CASE r.dataset WHEN 'circuits' THEN coalesce(r.circuit_ordered <= p.as_of, false)
            ELSE r.place <= coalesce(q.ordered, 0) END
            AS has_ordered,
        r.by_serial OR r.place <= coalesce(q.shipped, 0) AS has_shipped,
        r.by_serial OR r.bulk_place <= coalesce(q.bulk, 0) AS has_received
    FROM ranked r
    CROSS JOIN core.settings p
    LEFT JOIN core.part_supply q ON q.system_key = r.system_key AND q.part_key = r.part_key
)
SELECT
    system_key,
    unit_key,
    unnest(['ordered', 'shipped', 'received']) AS stage,
    unnest([has_ordered, has_shipped, has_received]) AS has,
    capacity AS quantity,
    CASE WHEN dataset = 'circuits' THEN circuit_ordered::TIMESTAMP END AS observed_at,
    CASE WHEN by_serial THEN 'by serial number' ELSE 'by quantity' END AS note,
    dataset,
    _ingest,
    _row,
    _sheet
FROM judged
