-- ---
-- title: Circuits with known spans
-- unit: share
-- definition: Share of the system's circuits of which it is known what they ride on. Of the others nobody knows what
--   they fail together with.
-- formula: circuits with at least one span / circuits
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    (s.spans IS NOT NULL)::INTEGER AS value, 1 AS weight,
    'circuits' AS dataset, u._ingest, u._row, u._sheet, NULL::TIMESTAMP AS observed_at,
    coalesce(s.spans, 'no spans') AS note
FROM core.units u
LEFT JOIN (SELECT circuit_key, string_agg(span, '; ' ORDER BY span_key) AS spans FROM core.circuit_spans GROUP BY ALL) s
    ON s.circuit_key = u.circuit_key
WHERE u.dataset = 'circuits'
