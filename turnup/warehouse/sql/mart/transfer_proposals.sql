-- table: mart.transfer_proposals
-- grain: one row is a quantity that a decision could give to a block that lacks it; nothing of it is counted anywhere
-- key: proposal_no
-- kind: transfer (free stock at another site), reallocation (goods to come), kitted, spare, installed. from_system names
-- who goes short by it, or whose goods nobody needs; both lines say where they were told.
SELECT
    p.proposal_no,
    w.system_key,
    s.system_id,
    n.block,
    l.line_key AS line,
    l.part_number AS needed_part,
    coalesce(x.part_number, p.part_key) AS part_number,
    p.as_alternate,
    p.quantity,
    p.kind,
    coalesce(f.site_id, p.site_key) AS from_site,
    h.system_id AS from_system,
    p.block_key AS from_block,
    p.holder_priority IS NOT NULL AS leaves_short,
    coalesce(o.name, p.told_by) AS supply,
    p.available,
    w.need_date,
    i.file,
    coalesce(o._row, p._row) AS "row"
FROM core.transfer_proposals p
JOIN core.transfer_wants w ON w.demand_no = p.demand_no
JOIN core.bom_lines l ON l.system_key = w.system_key AND l.line_key = w.line_key
JOIN core.systems s ON s.system_key = w.system_key
JOIN core.block_needs n ON n.system_key = w.system_key AND n.block_key = w.block_key
LEFT JOIN core.supply_lots o ON o.lot_no = p.lot_no
LEFT JOIN core.systems h ON h.system_key = p.system_key
LEFT JOIN (SELECT site_id_key, min(site_id) AS site_id FROM stg.sites GROUP BY ALL) f ON f.site_id_key = p.site_key
LEFT JOIN (SELECT part_key, min(part_number) AS part_number FROM core.bom_lines GROUP BY ALL) x ON x.part_key = p.part_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i
    ON i._ingest = coalesce(o._ingest, p._ingest)
