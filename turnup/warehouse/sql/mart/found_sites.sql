-- table: core.found_sites
-- grain: one row is a hall that runs out, a load that nobody states, or a place or design that contradicts another
-- key: code, item
-- hall_runs_out: power, cooling or racks of a hall do not cover what is planned in it. design_unknown: nobody states the
-- power or the racks of a block in a hall whose offer is known. hall_unknown: a block stands in a hall that its site does
-- not have. design_conflict: the blocks of a system together are designed for another power than the system.
SELECT
    'hall_runs_out' AS code, 'warning' AS severity, 'facility_capacity' AS dataset, r.system_key,
    r.site_id || ' ' || r.hall AS subject, concat_ws('/', r.site_key, r.hall_key, r.resource) AS item,
    r._ingest, r._row, r._sheet,
    r.hall || ' of ' || r.site_id || ' runs out of ' || r.resource || ' in the week to ' || r.week_end || ': '
        || figure(r.ready) || ' of ' || figure(r.load) || CASE r.resource WHEN 'racks' THEN ' racks' ELSE ' kW' END
        || ' ready; no room for ' || r.pushed_by || coalesce(', covered in the week to ' || r.covered_on, '') AS message
FROM core.hall_runouts r
UNION ALL
SELECT
    'design_unknown', 'warning', 'systems', l.system_key, l.system_id, l.system_key, min(l._ingest),
    arg_min_null(l._row, (l._ingest, l._row)), arg_min_null(l._sheet, (l._ingest, l._row)),
    CASE WHEN bool_or(l.kw IS NULL) THEN 'the design power' ELSE 'the number of racks' END
        || ' of ' || l.system_id || ' is not stated, so the headroom of ' || coalesce(min(l.hall), min(l.site_id))
        || ' is not known'
FROM core.hall_loads l
WHERE (l.kw IS NULL OR l.racks IS NULL) AND l.site_key IN (SELECT site_key FROM core.hall_supply)
GROUP BY l.system_key, l.system_id
UNION ALL
SELECT
    'hall_unknown', 'warning', CASE WHEN bool_or(l.is_listed) THEN 'blocks' ELSE 'systems' END, l.system_key, l.system_id,
    concat_ws('/', l.system_key, l.hall_key), min(l._ingest), arg_min_null(l._row, (l._ingest, l._row)),
    arg_min_null(l._sheet, (l._ingest, l._row)),
    l.system_id || ' stands in hall ' || min(l.hall) || ', which site ' || min(l.site_id) || ' does not have'
FROM core.hall_loads l
ANTI JOIN core.hall_supply f ON f.site_key = l.site_key AND f.hall_key = l.hall_key
WHERE l.hall_key IS NOT NULL AND l.site_key IN (SELECT site_key FROM core.hall_supply)
GROUP BY l.system_key, l.system_id, l.hall_key
UNION ALL
SELECT
    'design_conflict', 'warning', 'blocks', l.system_key, l.system_id, l.system_key, min(l._ingest),
    arg_min_null(l._row, (l._ingest, l._row)), arg_min_null(l._sheet, (l._ingest, l._row)),
    'the blocks of ' || l.system_id || ' are designed for ' || figure(min(l.own_kw)) || ' kW together, the system for '
        || figure(min(l.system_kw)) || ' kW; the blocks count'
FROM core.hall_loads l
WHERE l.own_kw > l.system_kw OR (l.all_own AND l.own_kw < l.system_kw)
GROUP BY l.system_key, l.system_id
