-- table: core.link_check
-- grain: one row is a planned cable with what was found in its place, or an observed one that no plan has
-- key: low_end, high_end
-- ok: found as planned. wrong port: its far device is right, the port is another. wrong device: another device.
-- missing: a device of it reported its neighbours and neither port had any, or it was looked for and is absent. no data:
-- neither device reported; a source that lists differences only reports nothing else. A device reports its neighbours
-- where it stands at the A end, and at either end where the source is a manager of the whole fabric: a neighbour that a
-- device merely heard has said nothing of its other ports.
-- unplanned: observed at a device of the plan, on ports that the plan leaves free. no plan: between devices that the
-- plan does not name. On a port that hears several neighbours (a shared segment) the right one is enough.
WITH plan AS (
    SELECT low_end, high_end, any_value(a_name) AS a_name, any_value(b_name) AS b_name
    FROM core.link_ends WHERE "view" = 'planned' GROUP BY ALL
),
seen AS (
    SELECT
        low_end, high_end,
        min(CASE one WHEN low_end THEN a_device || ':' || a_port ELSE b_device || ':' || b_port END) AS low_text,
        min(CASE other WHEN high_end THEN b_device || ':' || b_port ELSE a_device || ':' || a_port END) AS high_text
    FROM core.link_ends WHERE "view" = 'observed' AND coalesce(state, 'up') <> 'absent' GROUP BY ALL
),
reported AS (
    SELECT a_name AS name FROM core.link_ends WHERE "view" = 'observed' AND NOT coalesce(only_differences, false)
    UNION
    SELECT b_name FROM core.link_ends
    WHERE "view" = 'observed' AND NOT coalesce(only_differences, false) AND both_ends_report
),
absent AS (
    SELECT DISTINCT low_end, high_end FROM core.link_ends WHERE "view" = 'observed' AND state = 'absent'
),
halves AS (
    SELECT low_end AS near_end, high_end AS far_end, low_text || ' - ' || high_text AS what FROM seen
    UNION ALL SELECT high_end, low_end, high_text || ' - ' || low_text FROM seen WHERE low_end <> high_end
),
sides AS (
    SELECT low_end, high_end, low_end AS near_end, high_end AS far_end FROM plan
    UNION ALL SELECT low_end, high_end, high_end, low_end FROM plan
),
touching AS (
    SELECT
        p.low_end, p.high_end,
        bool_or(h.far_end = p.far_end) AS found,
        bool_or(split_part(h.far_end, chr(31), 1) = split_part(p.far_end, chr(31), 1)) AS same_device,
        string_agg(DISTINCT h.what, '; ' ORDER BY h.what) AS what
    FROM sides p JOIN halves h ON h.near_end = p.near_end
    GROUP BY ALL
),
planned AS (
    SELECT
        p.low_end, p.high_end,
        CASE
            WHEN t.found THEN 'ok'
            WHEN t.same_device THEN 'wrong port'
            WHEN t.found IS NOT NULL THEN 'wrong device'
            WHEN (p.low_end, p.high_end) IN (SELECT (low_end, high_end) FROM absent) THEN 'missing'
            WHEN p.a_name IN (SELECT name FROM reported) OR p.b_name IN (SELECT name FROM reported) THEN 'missing'
            ELSE 'no data'
        END AS class,
        CASE WHEN NOT t.found THEN t.what END AS found
    FROM plan p LEFT JOIN touching t ON t.low_end = p.low_end AND t.high_end = p.high_end
),
known AS (SELECT a_name AS name FROM plan UNION SELECT b_name FROM plan),
taken AS (SELECT low_end AS port FROM plan UNION SELECT high_end FROM plan),
others AS (
    SELECT
        s.low_end, s.high_end,
        CASE
            WHEN split_part(s.low_end, chr(31), 1) IN (SELECT name FROM known)
                OR split_part(s.high_end, chr(31), 1) IN (SELECT name FROM known) THEN 'unplanned'
            ELSE 'no plan'
        END AS class,
        s.low_text || ' - ' || s.high_text AS found
    FROM seen s
    WHERE s.low_end NOT IN (SELECT port FROM taken) AND s.high_end NOT IN (SELECT port FROM taken)
),
judged AS (SELECT * FROM planned UNION ALL BY NAME SELECT * FROM others)
SELECT
    j.low_end,
    j.high_end,
    j.class,
    e.a_device,
    e.a_port,
    e.b_device,
    e.b_port,
    e.a_device_key,
    e.b_device_key,
    j.found,
    e.system_id_key AS system_key,
    e._ingest,
    e._row,
    e._sheet
FROM judged j
JOIN core.link_ends e ON e.low_end = j.low_end AND e.high_end = j.high_end
QUALIFY row_number() OVER (
    PARTITION BY j.low_end, j.high_end
    ORDER BY e."view" = 'observed', e.observed_at DESC NULLS LAST, e._ingest, e.sheet, e._row
) = 1
