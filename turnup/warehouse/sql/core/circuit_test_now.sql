-- table: core.circuit_test_now
-- grain: one row is a circuit with results of a turn-up test
-- key: circuit_key
-- pass: both directions (or a loop) were measured and every newest result reached the rate ordered; fail: one did not;
-- partial: what was measured passed, but one direction was not.
SELECT
    circuit_key,
    any_value(system_key) AS system_key,
    CASE
        WHEN bool_or(verdict = 'fail') THEN 'fail'
        WHEN bool_or(verdict = 'pass' AND direction = 'loop')
            OR count(DISTINCT direction) FILTER (verdict = 'pass' AND direction <> 'loop') = 2 THEN 'pass'
        ELSE 'partial'
    END AS verdict,
    count(*) AS results,
    min(share) AS least_share,
    string_agg(DISTINCT test, ', ' ORDER BY test) AS tests,
    max(measured_at) AS measured_at,
    coalesce(
        string_agg(test || ' ' || replace(direction, '_', ' ') || CASE WHEN frame_bytes > 0 THEN ' ' || frame_bytes
            || ' B' ELSE '' END || ': ' || said, '; ' ORDER BY test, direction, frame_bytes) FILTER (verdict = 'fail'),
        'least share ' || round(100 * min(share), 1) || ' % of the rate ordered'
    ) AS said,
    arg_min_null(dataset, (verdict <> 'fail', _ingest, _row)) AS dataset,
    arg_min_null(_ingest, (verdict <> 'fail', _ingest, _row)) AS _ingest,
    arg_min_null(_row, (verdict <> 'fail', _ingest, _row)) AS _row,
    arg_min_null(_sheet, (verdict <> 'fail', _ingest, _row)) AS _sheet
FROM core.circuit_results GROUP BY circuit_key
