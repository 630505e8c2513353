-- table: mart.cross_connects
-- grain: one row is a cross-connect with its letter, its promise and what is done
-- key: cross_connect_key
SELECT
    x.cross_connect_key, x.cross_connect, x.circuit, x."end", s.system_id, x.site_id, x.provider, x.panel, x.ordered,
    x.letter, x.loa_cfa_issued, x.loa_cfa_expiry, x.first_firm_date, x.firm_date, x.installed, x.light,
    CASE WHEN x.installed IS NULL THEN greatest(0, x.as_of - x.firm_date)::INTEGER END AS days_overdue
FROM core.cross_connect_now x
LEFT JOIN core.systems s ON s.system_key = x.system_key
