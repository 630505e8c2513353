-- table: core.cross_connect_now
-- grain: one row is a cross-connect with the state of its letter of authorisation
-- key: cross_connect_key
-- An installed cross-connect needs no letter any more. A letter that expires within two weeks is renewed in time or not
-- at all: an operator of a building takes about ten days for an order.
SELECT
    x.cross_connect_key,
    x.cross_connect,
    x.circuit_key,
    x.circuit,
    x."end",
    coalesce(x.system_id_key, c.system_id_key) AS system_key,
    x.site_id_key AS site_key,
    x.site_id,
    x.provider,
    x.panel,
    x.ordered,
    x.loa_cfa_issued,
    x.loa_cfa_expiry,
    x.firm_date,
    coalesce(x.first_firm_date, x.firm_date) AS first_firm_date,
    CASE WHEN x.installed <= p.as_of THEN x.installed END AS installed,
    CASE WHEN x.light <= p.as_of THEN x.light END AS light,
    CASE
        WHEN x.installed <= p.as_of OR x.light <= p.as_of THEN 'not needed'
        WHEN x.loa_cfa_issued IS NULL OR x.loa_cfa_issued > p.as_of THEN 'not issued'
        WHEN x.loa_cfa_expiry < p.as_of THEN 'expired'
        WHEN x.loa_cfa_expiry <= p.as_of + 14 THEN 'expiring'
        ELSE 'valid'
    END AS letter,
    p.as_of,
    x._ingest,
    x._row,
    x._sheet
FROM stg.cross_connects x
CROSS JOIN core.settings p
LEFT JOIN core.circuit_now c ON c.circuit_key = x.circuit_key
QUALIFY row_number() OVER (PARTITION BY x.cross_connect_key ORDER BY x._ingest, x._sheet, x._row) = 1
