-- One row per system: what was ordered, shipped, received, installed, and what is short or slow.
WITH ordered AS (
    SELECT system_id, sum(ordered) AS ordered, sum(shipped) AS shipped, sum(received) AS received
    FROM {{ ref('orders') }} GROUP BY ALL),
     short AS (SELECT system_id, count(*) AS short_parts, max(promised) AS promised FROM {{ ref('shortages') }} GROUP BY ALL),
     slow AS (SELECT system_id, count(DISTINCT node) AS slow_nodes FROM {{ ref('slow_nodes') }} GROUP BY ALL)
SELECT s.system_id, s.site_id, c.quantity AS committed, c.contract_date, o.ordered, o.shipped, o.received, i.racked,
    i.schedulable, coalesce(short_parts, 0) AS short_parts, short.promised, coalesce(slow_nodes, 0) AS slow_nodes
FROM raw.systems s LEFT JOIN raw.commitments c USING (system_id) LEFT JOIN ordered o USING (system_id)
LEFT JOIN {{ ref('installed') }} i USING (system_id) LEFT JOIN short USING (system_id) LEFT JOIN slow USING (system_id)
