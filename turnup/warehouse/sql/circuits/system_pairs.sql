-- table: core.system_pairs
-- grain: one row is a pair of regions that a system's circuits join, in the week of the data date
-- key: system_key, region_a, region_b
SELECT
    c.system_key, c.system_id, p.* EXCLUDE (in_week, week_no, week_end), c._ingest, c._row, c._sheet
FROM (
    SELECT
        s.system_key, s.system_id, e.region_a, e.region_b,
        arg_min_null(n._ingest, n.circuit_key) AS _ingest, arg_min_null(n._row, n.circuit_key) AS _row,
        arg_min_null(n._sheet, n.circuit_key) AS _sheet
    FROM core.circuit_now n
    JOIN core.circuit_regions e USING (circuit_key)
    JOIN core.systems s ON s.system_key = n.system_id_key
    GROUP BY ALL
) c
JOIN mart.wan_pairs p ON p.region_a = c.region_a AND p.region_b = c.region_b AND p.week_no = 0
