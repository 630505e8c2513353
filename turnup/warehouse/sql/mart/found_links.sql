-- table: core.found_links
-- grain: one row is a cable that is not where the plan has it, or a system with more of them than are listed
-- key: code, item
WITH wrong AS (
    SELECT *, 'link_' || replace(class, ' ', '_') AS code, count(*) OVER (PARTITION BY class, system_key) AS of_system
    FROM core.link_check WHERE class IN ('wrong port', 'wrong device', 'unplanned')
)
SELECT
    w.code, 'warning' AS severity, 'links' AS dataset, w.system_key,
    w.a_device || ':' || w.a_port AS subject,
    replace(w.low_end, chr(31), ':') || ' - ' || replace(w.high_end, chr(31), ':') AS item,
    w._ingest, w._row, w._sheet,
    CASE w.class
        WHEN 'unplanned' THEN 'no plan has the cable ' || w.found
        ELSE 'planned ' || w.a_device || ':' || w.a_port || ' - ' || w.b_device || ':' || w.b_port || ', found '
            || w.found || ' (' || w.class || ')'
    END AS message
FROM wrong w CROSS JOIN core.settings p WHERE w.of_system <= p.late_listed
UNION ALL
SELECT
    w.code, 'warning', 'links', w.system_key, coalesce(min(s.system_id), 'links'), coalesce(w.system_key, 'links'),
    NULL, NULL, NULL,
    count(*) || ' cables are not as planned (' || w.class || '), for example ' || min(w.found)
FROM wrong w CROSS JOIN core.settings p LEFT JOIN core.systems s ON s.system_key = w.system_key
WHERE w.of_system > p.late_listed GROUP BY w.code, w.class, w.system_key
