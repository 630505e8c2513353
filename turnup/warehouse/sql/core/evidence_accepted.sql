-- table: core.evidence_accepted
-- grain: one row is a unit; has is true, false, or null where there is no data
-- key: system_key, unit_key
-- accepted: every test of its SKU passed, clean, on this hardware; circuits: tested.
SELECT
    a.system_key,
    a.unit_key,
    'accepted' AS stage,
    CASE WHEN a.dataset = 'circuits' THEN c.is_tested ELSE t.has END AS has,
    a.capacity AS quantity,
    coalesce(t.observed_at, c.tested::TIMESTAMP) AS observed_at,
    coalesce(t.note, 'tested ' || c.tested, 'no acceptance limit for this SKU') AS note,
    CASE WHEN t._ingest IS NULL THEN a.dataset ELSE 'benchmarks' END AS dataset,
    coalesce(t._ingest, a._ingest) AS _ingest,
    CASE WHEN t._ingest IS NULL THEN a._row ELSE t._row END AS _row,
    CASE WHEN t._ingest IS NULL THEN a._sheet ELSE t._sheet END AS _sheet
FROM core.asset_units a
LEFT JOIN core.unit_verdicts t ON t.system_key = a.system_key AND t.unit_key = a.unit_key
LEFT JOIN core.circuit_now c ON c.circuit_key = a.circuit_key
