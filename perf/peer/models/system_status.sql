-- One row per system: what was ordered, shipped, received, installed, and what is short or slow.
WITH ordered AS (
    SELECT system_id, sum(ordered) AS ordered, sum(shipped) AS shipped, sum(received) AS received
    FROM {{ ref('orders') }} GROUP BY ALL),
     slow AS (SELECT system_id, count(DISTINCT node) AS slow_nodes FROM {{ ref('slow_nodes') }} GROUP BY ALL)
SELECT s.system_id, s.site_id, c.quantity AS committed, c.contract_date, o.ordered, o.shipped, o.received, i.racked,
    i.schedulable, coalesce(n.short_parts, 0) AS short_parts, n.last_at,
    n.last_at IS NULL OR n.last_at > c.contract_date AS late, coalesce(slow_nodes, 0) AS slow_nodes
FROM {{ ref('stg_systems') }} s LEFT JOIN {{ ref('stg_commitments') }} c USING (system_id)
LEFT JOIN ordered o USING (system_id) LEFT JOIN {{ ref('installed') }} i USING (system_id)
LEFT JOIN {{ ref('netting_of_systems') }} n USING (system_id) LEFT JOIN slow USING (system_id)
