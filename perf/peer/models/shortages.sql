-- One row per system and part of which less was received than is needed.
SELECT n.system_id, n.part_number, n.needed, coalesce(sum(o.received), 0) AS received, max(o.promised) AS promised
FROM {{ ref('needs') }} n LEFT JOIN {{ ref('orders') }} o USING (system_id, part_number)
GROUP BY ALL HAVING coalesce(sum(o.received), 0) < n.needed
