-- table: mart.circuit_tests
-- grain: one row is the newest rate measured on a circuit by one test, in one direction, with one frame size
-- key: circuit_key, test, direction, frame_bytes
SELECT
    r.circuit_key, r.circuit, s.system_id, r.test, r.direction, r.frame_bytes, r.measured_at,
    (r.mbps / 1000)::DECIMAL(18, 3) AS measured_gbps, r.gbps AS ordered_gbps, r.share, r.floor, r.loss_percent,
    r.latency_ms, r.verdict, r.said
FROM core.circuit_results r
LEFT JOIN core.systems s ON s.system_key = r.system_key
