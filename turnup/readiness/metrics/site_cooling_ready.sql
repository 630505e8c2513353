-- ---
-- title: Cooling ready at the site
-- unit: ratio
-- definition: Air and liquid cooling of halls that are ready against the design power of all systems at the site.
-- formula: ready cooling kW / design kW of the site's systems
-- aggregate: ratio
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, NULL AS unit_key, concat_ws('/', f.site_id, f.hall, f.phase) AS unit_id,
        NULL AS block_key,
    coalesce(CASE WHEN f.actual_ready <= p.as_of THEN coalesce(f.air_kw, 0) + coalesce(f.liquid_kw, 0)
        ELSE 0 END, 0) AS value,
    CASE WHEN row_number() OVER (PARTITION BY s.system_key ORDER BY f.hall, f.phase, f._ingest, f._row) = 1
        THEN d.demand ELSE 0 END AS weight,
    'facility_capacity' AS dataset, f._ingest, f._row, f._sheet, NULL::TIMESTAMP AS observed_at,
    'demand of the site ' || d.demand AS note
FROM core.systems s
CROSS JOIN core.settings p
JOIN stg.facility_capacity f ON f.site_id_key = s.site_key
JOIN (SELECT site_key, sum(design_kw) AS demand FROM core.systems GROUP BY ALL) d ON d.site_key = s.site_key
WHERE d.demand > 0 AND s.design_kw IS NOT NULL
