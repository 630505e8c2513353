-- table: core.evidence_installed
-- grain: one row is a unit; has is true, false, or null where there is no data
-- key: system_key, unit_key
-- installed: racked at the right site, and neither planned nor in stock; circuits: delivered by the
-- provider, and every known cross-connect installed.
SELECT
    a.system_key,
    a.unit_key,
    'installed' AS stage,
    CASE a.dataset
        WHEN 'installs' THEN coalesce(
            a.racked <= p.as_of AND a.status NOT IN ('planned', 'inventory')
                AND coalesce(a.asset_site = a.site_key, true),
            false
        )
        WHEN 'circuits' THEN coalesce(
            c.tested <= p.as_of OR c.in_service <= p.as_of OR l.was_tested
            OR (l.not_installed IS NULL AND (c.provider_active OR c.delivered <= p.as_of
                OR lower(c.provider_state) IN ('installed', 'delivered'))),
            false
        )
        ELSE true
    END AS has,
    a.capacity AS quantity,
    coalesce(a.racked, c.delivered, c.tested)::TIMESTAMP AS observed_at,
    CASE WHEN a.dataset = 'installs'
        THEN concat_ws(', ', a.status, 'racked ' || a.racked, 'rack ' || a.rack)
        ELSE 'not installed: ' || l.not_installed END AS note,
    a.dataset,
    a._ingest,
    a._row,
    a._sheet
FROM core.asset_units a
CROSS JOIN core.settings p
LEFT JOIN core.circuit_now c ON c.circuit_key = a.circuit_key
LEFT JOIN core.circuit_life l ON l.circuit_key = a.circuit_key
