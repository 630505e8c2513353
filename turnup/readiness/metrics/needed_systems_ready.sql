-- ---
-- title: Needed systems there
-- unit: share
-- definition: Of the systems that this one needs, the least share of contracted capacity that has reached the stage of the
--   gate that is needed; without a gate, that is the last stage.
-- formula: least of reached / contracted over the needed systems
-- aggregate: min
-- spread: system
-- ---
SELECT
    n.system_key, n.system_id, NULL AS unit_key, n.needed_id AS unit_id, NULL AS block_key,
    (n.there / n.promised)::DOUBLE AS value, 1 AS weight,
    'dependencies' AS dataset, n._ingest, n._row, n._sheet, NULL::TIMESTAMP AS observed_at,
    concat_ws(', ', n.types, 'needed at ' || n.gate_title, 'by gate ' || n.asked_gate) AS note
FROM core.needs n
