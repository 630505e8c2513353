-- table: core.circuit_results
-- grain: one row is the newest rate measured on a circuit by one test, in one direction, with one frame size
-- key: circuit_key, test, direction, frame_bytes
-- share is the rate against the rate ordered. RFC 2544 goes up to line rate, so a rate of frames has their preamble and
-- gap added: 20 bytes a frame (IEEE 802.3). Y.1564 tests the information rate that was agreed: it is taken as given.
-- A tester must reach 98 % (frames of 1,518 bytes fill 98.7 % of a line), iperf3 90 % (TCP in frames of 1,500 bytes
-- fills 94.1 %). RFC 2544 calls throughput the highest rate at which nothing is lost; of Y.1564 the tester judges loss.
WITH measured AS (
    SELECT
        circuit_key, test, direction, coalesce(frame_bytes, 0) AS frame_bytes, measured_at, layer,
        throughput_mbps AS mbps, loss_percent, latency_ms, outcome, 'circuit_tests' AS dataset, _ingest, _row, _sheet
    FROM stg.circuit_tests WHERE throughput_mbps IS NOT NULL OR outcome = 'fail'
    UNION ALL BY NAME
    SELECT
        b.node_key AS circuit_key, 'iperf3' AS test,
        CASE lower(b.direction) WHEN 'reverse' THEN 'z_to_a' ELSE 'a_to_z' END AS direction, 0 AS frame_bytes,
        b.measured_at, NULL AS layer, b.value / 1e6 AS mbps, NULL AS loss_percent, NULL AS latency_ms, b.outcome,
        'benchmarks' AS dataset, b._ingest, b._row, b._sheet
    FROM stg.benchmarks b
    WHERE lower(b.test) LIKE 'iperf3%' AND lower(b.metric) = 'throughput' AND lower(b.unit) = 'bit/s'
        AND b.value IS NOT NULL AND coalesce(b.status, 'valid') = 'valid' AND coalesce(b.complete, true)
),
newest AS (
    SELECT m.* FROM measured m CROSS JOIN core.settings p
    WHERE m.measured_at <= p.cut_off
    QUALIFY row_number() OVER (
        PARTITION BY m.circuit_key, m.test, m.direction, m.frame_bytes
        ORDER BY m.measured_at DESC, m._ingest, m._sheet, m._row
    ) = 1
),
shared AS (
    SELECT
        n.*, c.circuit, c.system_id_key AS system_key, c.gbps,
        CASE WHEN n.test = 'iperf3' THEN 0.90 ELSE 0.98 END AS floor,
        n.mbps * CASE WHEN n.test = 'rfc2544' AND n.layer = 2 AND n.frame_bytes > 0
            THEN (n.frame_bytes + 20)::DOUBLE / n.frame_bytes ELSE 1 END / nullif(c.gbps * 1000, 0) AS share
    FROM newest n JOIN core.circuit_now c ON c.circuit_key = n.circuit_key
)
SELECT
    *,
    CASE
        WHEN outcome = 'fail' OR share < floor THEN 'fail'
        WHEN loss_percent > 0 AND (test = 'rfc2544' OR outcome IS NULL) THEN 'fail'
        WHEN share IS NOT NULL THEN 'pass'
    END AS verdict,
    concat_ws(', ', CASE WHEN share IS NOT NULL THEN figure(mbps / 1000) || ' of ' || figure(gbps) || ' Gbit/s' END,
        CASE WHEN loss_percent > 0 THEN figure(loss_percent) || ' % lost' END,
        CASE WHEN outcome = 'fail' THEN 'the tester says fail' END) AS said
FROM shared
