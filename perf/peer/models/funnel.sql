-- One row per kind of system and site: from what is contracted to what can be used.
SELECT s.kind, s.site_id, count(*) AS systems, sum(committed) AS contracted, sum(ordered) AS ordered,
    sum(shipped) AS shipped, sum(received) AS received, sum(racked) AS racked, sum(schedulable) AS schedulable
FROM {{ ref('system_status') }} t JOIN {{ ref('stg_systems') }} s USING (system_id, site_id) GROUP BY ALL
