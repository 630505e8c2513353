-- table: core.found_circuits
-- grain: one row is a circuit whose record contradicts itself, its provider's report or the promise of diversity
-- key: code, item
WITH placed AS (
    -- Diversity is promised between two regions, and within one between two sites.
    SELECT
        c.*, CASE WHEN e.region_a <> e.region_b THEN e.region_a ELSE least(c.a_site, c.z_site) END AS end_a,
        CASE WHEN e.region_a <> e.region_b THEN e.region_b ELSE greatest(c.a_site, c.z_site) END AS end_b
    FROM core.circuit_now c JOIN core.circuit_regions e USING (circuit_key)
    WHERE trim(c.diversity_group) <> ''
),
pairs AS (
    SELECT
        sp.span_key, min(sp.span) AS span, a.end_a, a.end_b,
        CASE WHEN count(DISTINCT a.system_id_key) = 1 THEN min(a.system_id_key) END AS system_key,
        count(DISTINCT lower(trim(a.diversity_group))) AS groups,
        string_agg(a.circuit || ' (' || trim(a.diversity_group) || ')', ', ' ORDER BY a.circuit_key) AS circuits,
        arg_min_null(a._ingest, a.circuit_key) AS _ingest, arg_min_null(a._row, a.circuit_key) AS _row,
        arg_min_null(a._sheet, a.circuit_key) AS _sheet
    FROM core.circuit_spans sp JOIN placed a USING (circuit_key) GROUP BY ALL
),
silent AS (
    SELECT c.system_id_key AS system_key, count(*) AS n, min(c.circuit) AS example,
        arg_min_null(c._ingest, c.circuit_key) AS _ingest, arg_min_null(c._row, c.circuit_key) AS _row,
        arg_min_null(c._sheet, c.circuit_key) AS _sheet
    FROM core.circuit_now c
    JOIN core.circuit_regions e USING (circuit_key)
    WHERE c.circuit_key NOT IN (SELECT circuit_key FROM core.circuit_spans) AND e.region_a <> e.region_b
    GROUP BY ALL
),
wide AS (
    SELECT lower(trim(diversity_group)) AS group_key, min(diversity_group) AS name, count(*) AS n,
        count(DISTINCT system_id_key) AS systems
    FROM core.circuit_now JOIN core.circuit_regions USING (circuit_key)
    WHERE trim(diversity_group) <> '' GROUP BY ALL
),
ends AS (
    SELECT lower(trim(diversity_group)) AS group_key, unnest([a_site_key, z_site_key]) AS site_key, circuit_key
    FROM core.circuit_now WHERE trim(diversity_group) <> ''
),
apart AS (
    SELECT w.*
    FROM wide w
    LEFT JOIN (SELECT group_key, site_key, count(DISTINCT circuit_key) AS n FROM ends GROUP BY ALL) m
        ON m.group_key = w.group_key AND m.n = w.n
    WHERE w.systems > 1 AND m.site_key IS NULL
)
SELECT
    'diverse_circuits_share_span' AS code, 'error' AS severity, 'circuits' AS dataset, system_key,
    span AS subject, end_a || ' ' || end_b || ' ' || span_key AS item, _ingest, _row, _sheet,
    'circuits of different diversity groups ride on span ' || span || ': ' || circuits
        || '; they fail together' AS message
FROM pairs WHERE groups > 1
UNION ALL BY NAME
SELECT
    'circuit_without_spans' AS code, 'warning' AS severity, 'circuits' AS dataset, s.system_key,
    coalesce(y.system_id, s.example) AS subject, coalesce(s.system_key, 'no system') AS item, s._ingest, s._row,
    s._sheet,
    s.n || CASE WHEN s.n = 1 THEN ' circuit has' ELSE ' circuits have' END || ' no spans (' || s.example
        || '): nothing shows what fails together, so N-1 is not known where they matter' AS message
FROM silent s LEFT JOIN core.systems y ON y.system_key = s.system_key
UNION ALL BY NAME
SELECT
    'circuit_without_ends' AS code, 'warning' AS severity, 'circuits' AS dataset, c.system_id_key AS system_key,
    c.circuit AS subject, c.circuit_key AS item, c._ingest, c._row, c._sheet,
    c.circuit || ' lacks the site at its ' || concat_ws(' and its ', CASE WHEN c.a_site_key IS NULL THEN 'A end' END,
        CASE WHEN c.z_site_key IS NULL THEN 'Z end' END) || ': it counts for no pair of regions' AS message
FROM core.circuit_now c JOIN core.systems s ON s.system_key = c.system_id_key AND s.kind = 'wan_link'
WHERE c.a_site_key IS NULL OR c.z_site_key IS NULL
UNION ALL BY NAME
SELECT
    'circuit_without_system' AS code, 'error' AS severity, 'circuits' AS dataset, NULL AS system_key,
    circuit AS subject, circuit_key AS item, _ingest, _row, _sheet,
    'no row names the system that ' || circuit || ' carries: name it in the circuit inventory, in a tag'
        || ' turnup_system at the cloud, or under defaults of the source' AS message
FROM core.circuit_now WHERE system_id_key IS NULL
UNION ALL BY NAME
SELECT
    'circuit_state_contradicted' AS code, 'error' AS severity, 'circuits' AS dataset, system_id_key AS system_key,
    circuit AS subject, circuit_key AS item, _ingest, _row, _sheet,
    'our record calls the provider''s side of ' || circuit || ' ' || claimed_provider_state
        || ', its own report says ' || reported_provider_state AS message
FROM core.circuit_now
WHERE circuit_is_active(claimed_provider_state) AND NOT circuit_is_active(reported_provider_state)
UNION ALL BY NAME
SELECT
    'circuit_capacity_differs' AS code, 'warning' AS severity, 'circuits' AS dataset, system_id_key AS system_key,
    circuit AS subject, circuit_key AS item, _ingest, _row, _sheet,
    circuit || ' has ' || figure(inventory_gbps) || ' Gbit/s in our record and ' || figure(reported_gbps)
        || ' in its provider''s report; the lower counts' AS message
FROM core.circuit_now WHERE inventory_gbps <> reported_gbps
UNION ALL BY NAME
SELECT
    'circuit_session_down' AS code, 'warning' AS severity, 'sessions' AS dataset, system_id_key AS system_key,
    circuit AS subject, circuit_key AS item, _ingest, _row, _sheet,
    'both sides call ' || circuit || ' active, but BGP is down with ' || peers_down AS message
FROM core.circuit_now WHERE customer_active AND provider_active AND NOT no_session_down
UNION ALL BY NAME
SELECT
    'route_unread' AS code, 'info' AS severity, 'circuits' AS dataset, c.system_id_key AS system_key,
    c.circuit AS subject, c.circuit_key || ' ' || r.text AS item, c._ingest, c._row, c._sheet,
    'the route ''' || r.text || ''' does not begin and end at the sites of ' || c.circuit
        || ', so it was taken as the name of one span: part spans by semicolons' AS message
FROM core.circuit_routes_unread r JOIN core.circuit_now c USING (circuit_key)
UNION ALL BY NAME
SELECT
    'diversity_group_apart' AS code, 'warning' AS severity, 'circuits' AS dataset, NULL AS system_key,
    name AS subject, group_key AS item, NULL AS _ingest, NULL AS _row, NULL AS _sheet,
    'diversity group ' || name || ' names ' || n || ' circuits of ' || systems
        || ' systems that have no site in common: they are taken to fail together; name groups with their link'
        || ' (ORD-DAL-A) where they do not' AS message
FROM apart
UNION ALL BY NAME
SELECT
    'demand_unread' AS code, 'warning' AS severity, 'demand' AS dataset, NULL AS system_key,
    scope AS subject, scope || ' ' || week AS item, NULL AS _ingest, NULL AS _row, NULL AS _sheet,
    'demand of ' || scope || ' in ' || week || ' is not used: ' || why AS message
FROM core.demand_unread
