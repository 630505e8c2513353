-- table: core.stock_counts
-- grain: one row is a lot of a part as it was last counted at a site
-- key: source, site_key, part_key, lot_key
-- A count is one delivery: what an earlier delivery of the same source counted of this part at this site is over, and
-- within the delivery the newest count of each lot stands.
WITH known AS (
    SELECT n.*, coalesce(i.source, n._ingest) AS source
    FROM stg.inventory n
    CROSS JOIN core.settings p
    LEFT JOIN (SELECT _ingest, min(source) AS source FROM meta.ingests GROUP BY ALL) i ON i._ingest = n._ingest
    WHERE n.counted_at <= p.cut_off
),
newest AS (
    SELECT source, site_id_key, part_number_key, arg_max(_ingest, (counted_at, _ingest)) AS _ingest
    FROM known GROUP BY ALL
)
SELECT
    k.source,
    k.site_id_key AS site_key,
    k.part_number_key AS part_key,
    k.lot_key,
    k.lot,
    k.site_id,
    k.part_number,
    k.counted_at::DATE AS counted_on,
    k.free::DECIMAL(18, 3) AS free,
    coalesce(k.kitted, 0)::DECIMAL(18, 3) AS kitted,
    coalesce(k.quarantine, 0)::DECIMAL(18, 3) AS quarantine,
    k.system_id_key AS system_key,
    k.block_key,
    k._ingest,
    k._row,
    k._sheet
FROM known k
JOIN newest n ON n.source = k.source AND n.site_id_key = k.site_id_key AND n.part_number_key = k.part_number_key
    AND n._ingest = k._ingest
QUALIFY row_number() OVER (
    PARTITION BY k.source, k.site_id_key, k.part_number_key, k.lot_key ORDER BY k.counted_at DESC, k._sheet, k._row
) = 1
