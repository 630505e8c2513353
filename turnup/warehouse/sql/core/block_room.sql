-- table: core.block_room
-- grain: one row is a block and a resource of its hall: what is ready now against what is due in it up to this block
-- key: system_key, block_key, resource
-- Blocks take their room in the order of their days, then by priority; a hall is judged by itself, and a block without a
-- hall by its whole site. ratio is null (no data) where the answer hangs on a design load or an offer that nobody states:
-- an unknown load is never zero.
WITH offered AS (
    SELECT site_key, hall_key, resource, sum(now) AS ready, count(*) FILTER (now IS NULL) AS silent
    FROM core.hall_supply GROUP BY ALL
    UNION ALL
    SELECT site_key, NULL, resource, sum(now), count(*) FILTER (now IS NULL) FROM core.hall_supply GROUP BY ALL
),
needs AS (
    SELECT
        l.*, r.resource, CASE r.resource WHEN 'racks' THEN l.racks ELSE l.kw END AS need,
        coalesce(l.day, p.as_of) AS from_day
    FROM core.hall_loads l
    CROSS JOIN core.settings p
    CROSS JOIN (SELECT unnest(['power', 'cooling', 'racks']) AS resource) r
),
queued AS (
    SELECT
        *,
        sum(coalesce(need, 0)) OVER in_hall AS hall_load, count(*) FILTER (need IS NULL) OVER in_hall AS hall_unknown,
        sum(coalesce(need, 0)) OVER in_site AS site_load, count(*) FILTER (need IS NULL) OVER in_site AS site_unknown
    FROM needs
    WINDOW
        in_hall AS (PARTITION BY site_key, hall_key, resource
            ORDER BY from_day, netting_order, system_key, block_no ROWS UNBOUNDED PRECEDING),
        in_site AS (PARTITION BY site_key, resource
            ORDER BY from_day, netting_order, system_key, block_no ROWS UNBOUNDED PRECEDING)
),
judged AS (
    SELECT
        q.*, o.ready, o.silent,
        CASE WHEN q.hall_key IS NULL THEN q.site_load ELSE q.hall_load END AS load,
        CASE WHEN q.hall_key IS NULL THEN q.site_unknown ELSE q.hall_unknown END AS unknown
    FROM queued q
    LEFT JOIN offered o
        ON o.site_key = q.site_key AND o.hall_key IS NOT DISTINCT FROM q.hall_key AND o.resource = q.resource
)
SELECT
    system_key, system_id, supply_model, site_key, hall_key, coalesce(hall, 'the whole site') AS hall, block_key, block,
    resource, need::DECIMAL(18, 3) AS need, ready::DECIMAL(18, 3) AS ready, load::DECIMAL(18, 3) AS load, unknown, silent,
    CASE
        WHEN ready IS NULL AND silent IS NULL THEN NULL
        WHEN load = 0 AND unknown = 0 THEN 1
        WHEN coalesce(ready, 0) < load AND silent = 0 THEN least(coalesce(ready, 0) / load, 0.999999)
        WHEN ready >= load AND unknown = 0 THEN ready / load
    END::DOUBLE AS ratio,
    concat_ws('; ', figure(coalesce(ready, 0)) || CASE resource WHEN 'racks' THEN ' racks' ELSE ' kW' END || ' ready in '
        || coalesce(hall, 'the whole site') || ' for ' || figure(load) || ' up to this block',
        CASE WHEN unknown > 0 THEN unknown || ' blocks without a stated load' END,
        CASE WHEN silent > 0 THEN silent || ' phases that do not say what they offer' END) AS note
FROM judged
