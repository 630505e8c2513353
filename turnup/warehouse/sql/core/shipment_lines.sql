-- table: core.shipment_lines
-- grain: one row is a delivered shipment line with its vendor, its lateness and its lead time
-- key: shipment_key, line_key
-- A line whose sources contradict its delivery is not delivered. A step before the one it follows makes the lead time
-- of its line unknown. Terms that Incoterms 2010 and 2020 dropped are read as those that took their place.
WITH terms AS (
    SELECT * FROM (VALUES ('dat', 'DPU'), ('ddu', 'DAP'), ('daf', 'DAP'), ('des', 'DAP'), ('deq', 'DPU'))
        AS dropped(term, now)
),
again AS (
    SELECT h.rowid AS row_id
    FROM stg.shipments h
    JOIN core.repeated_lines k ON k.dataset = 'shipments' AND k.document_key = h.shipment_key AND k.line_key = h.line_key
    QUALIFY row_number() OVER (PARTITION BY h.shipment_key, h.line_key ORDER BY h._ingest, h._sheet, h._row) > 1
),
lines AS (
    SELECT
        h.*,
        coalesce(h.ordered, l.ordered) AS sent,
        coalesce(h.part_number, l.part_number, h.description) AS part,
        coalesce(h.vendor, l.vendor, '(unknown)') AS seller,
        CASE
            WHEN h.delivered < coalesce(h.ordered, l.ordered) THEN 'delivered before it was ordered'
            WHEN h.delivered < h.shipped THEN 'delivered before it was shipped'
            WHEN h.shipped < coalesce(h.ordered, l.ordered) THEN 'shipped before it was ordered'
            WHEN h.recorded < h.delivered THEN 'recorded before it was delivered'
        END AS step_fault
    FROM stg.shipments h
    ANTI JOIN again a ON a.row_id = h.rowid
    LEFT JOIN core.purchase_lines l ON l.po_key = h.po_key AND l.line_key = h.po_line_key
)
SELECT
    h.shipment_key,
    h.line_key,
    h.shipment,
    h.line,
    h.po_key,
    h.po_line_key,
    h.part AS part_number,
    h.seller AS vendor,
    coalesce(h.ship_to_site, h.destination) AS ship_to_site,
    h.scheduled,
    h.delivered,
    (h.delivered - h.scheduled)::INTEGER AS days_late,
    h.sent AS ordered,
    CASE WHEN h.step_fault IS NULL THEN h.delivered - h.sent END::INTEGER AS lead_days,
    h.step_fault,
    h.incoterm,
    coalesce(t.now, h.incoterm) AS incoterm_now,
    h.quantity,
    i.file,
    h._ingest,
    h._sheet,
    h._row
FROM lines h
CROSS JOIN core.settings p
JOIN core.shipment_states s ON s.shipment_key = h.shipment_key AND s.line_key = h.line_key AND NOT s.contradicted
LEFT JOIN terms t ON t.term = lower(trim(h.incoterm))
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = h._ingest
WHERE h.delivered <= p.as_of
