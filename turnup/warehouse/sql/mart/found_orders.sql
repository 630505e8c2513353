-- table: core.found_orders
-- grain: one row is an order of a circuit or cross-connect, or a test of one, that contradicts itself or needs somebody
-- key: code, item
WITH met AS (
    SELECT c.circuit_key, c.circuit, c.system_id_key AS system_key, e.site, s.site_id_key, e.circuit_end, c._ingest, c._row, c._sheet
    FROM core.circuit_now c
    CROSS JOIN LATERAL (VALUES ('a', c.a_site_key, c.a_site), ('z', c.z_site_key, c.z_site)) e(circuit_end, site_key, site)
    JOIN stg.sites s ON s.site_id_key = e.site_key AND s.facility = 'colo'
    WHERE c.circuit_key IN (SELECT circuit_key FROM core.cross_connect_now)
        AND NOT coalesce(c.in_service <= c.as_of, false)
    QUALIFY row_number() OVER (PARTITION BY c.circuit_key, e.circuit_end ORDER BY s._ingest, s._row) = 1
)
SELECT
    'loa_expired' AS code, 'error' AS severity, 'cross_connects' AS dataset, system_key, cross_connect AS subject,
    cross_connect_key AS item, _ingest, _row, _sheet,
    'the LOA-CFA of ' || cross_connect || coalesce(' for ' || circuit, '') || ' expired on ' || loa_cfa_expiry
        || ' before it was installed: ask for a new letter' AS message
FROM core.cross_connect_now WHERE letter = 'expired'
UNION ALL BY NAME
SELECT
    'loa_expired' AS code, 'error' AS severity, 'circuits' AS dataset, system_key, circuit AS subject,
    circuit_key AS item, _ingest, _row, _sheet,
    'the LOA-CFA of ' || circuit || ' expired on ' || letter_expiry || ' before it was connected: ask for a new letter' AS message
FROM core.circuit_life WHERE letter = 'expired' AND cross_connects = 0
UNION ALL BY NAME
SELECT
    'loa_expiring' AS code, 'warning' AS severity, 'cross_connects' AS dataset, system_key, cross_connect AS subject,
    cross_connect_key AS item, _ingest, _row, _sheet,
    'the LOA-CFA of ' || cross_connect || ' expires on ' || loa_cfa_expiry || ', '
        || CASE WHEN firm_date > loa_cfa_expiry THEN 'before its firm date ' || firm_date ELSE 'and it is not installed'
        END AS message
FROM core.cross_connect_now
WHERE letter IN ('valid', 'expiring') AND (firm_date > loa_cfa_expiry OR (letter = 'expiring' AND firm_date IS NULL))
UNION ALL BY NAME
SELECT
    'circuit_test_short' AS code, 'error' AS severity, t.dataset, t.system_key, l.circuit AS subject,
    t.circuit_key AS item, t._ingest, t._row, t._sheet,
    l.circuit || CASE WHEN l.tested <= l.as_of THEN ' is called tested, but the newest result says otherwise: '
        ELSE ' fell short in its test: ' END || t.said AS message
FROM core.circuit_test_now t JOIN core.circuit_life l USING (circuit_key) WHERE t.verdict = 'fail'
UNION ALL BY NAME
SELECT
    'circuit_test_one_way' AS code, 'warning' AS severity, t.dataset, t.system_key, l.circuit AS subject,
    t.circuit_key AS item, t._ingest, t._row, t._sheet,
    l.circuit || ' was tested in one direction only (' || t.tests || '): measure the other one, or a loop' AS message
FROM core.circuit_test_now t JOIN core.circuit_life l USING (circuit_key) WHERE t.verdict = 'partial'
UNION ALL BY NAME
SELECT
    'tested_before_connected' AS code, 'warning' AS severity, 'cross_connects' AS dataset, l.system_key,
    l.circuit AS subject, l.circuit_key AS item, l._ingest, l._row, l._sheet,
    l.circuit || ' was tested on ' || l.tested || ', but no date says that ' || l.not_installed || ' is installed' AS message
FROM core.circuit_life l WHERE l.tested <= l.as_of AND l.not_installed IS NOT NULL
UNION ALL BY NAME
SELECT
    'cross_connect_unknown' AS code, 'warning' AS severity, 'cross_connects' AS dataset, m.system_key,
    m.circuit AS subject, m.circuit_key || ' ' || m.circuit_end AS item, m._ingest, m._row, m._sheet,
    'no cross-connect of ' || m.circuit || ' is known at ' || m.site || ', which is leased space, while its other end has'
        || ' one' AS message
FROM met m
ANTI JOIN core.cross_connect_now x
    ON x.circuit_key = m.circuit_key AND (x."end" = m.circuit_end OR x.site_key = m.site_id_key)
