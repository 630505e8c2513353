-- table: core.evidence_l1_valid
-- grain: one row is a unit; has is true, false, or null where there is no data
-- key: system_key, unit_key
-- l1_valid: every planned link of the node observed up at the planned speed or more, and none of its lanes, light, error
-- ratios or flaps beyond their limits (what nobody measured holds nothing back); circuits: provider side active,
-- or tested, by a date or by a result: a test that fell short still had light.
SELECT
    a.system_key,
    a.unit_key,
    'l1_valid' AS stage,
    CASE
        WHEN a.dataset = 'circuits' THEN c.provider_active OR l.was_tested
        WHEN k.planned IS NULL OR k.observed = 0 THEN NULL
        ELSE k.sound = k.planned
    END AS has,
    a.capacity AS quantity,
    k.observed_at,
    CASE
        WHEN a.dataset = 'circuits' THEN 'provider state ' || c.provider_state
        WHEN k.planned IS NULL THEN 'no planned link known'
        ELSE concat_ws('; ', k.up || ' of ' || k.planned || ' planned links up', k.unsound_for)
    END AS note,
    CASE WHEN k.planned IS NULL THEN a.dataset ELSE 'links' END AS dataset,
    coalesce(k._ingest, a._ingest) AS _ingest,
    CASE WHEN k.planned IS NULL THEN a._row ELSE k._row END AS _row,
    CASE WHEN k.planned IS NULL THEN a._sheet ELSE k._sheet END AS _sheet
FROM core.asset_units a
LEFT JOIN core.unit_links k ON k.system_key = a.system_key AND k.unit_key = a.unit_key
LEFT JOIN core.circuit_now c ON c.circuit_key = a.circuit_key
LEFT JOIN core.circuit_life l ON l.circuit_key = a.circuit_key
