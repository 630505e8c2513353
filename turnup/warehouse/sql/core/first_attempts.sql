-- table: core.first_attempts
-- grain: one row is a unit whose first attempt at a gate has ended, passed or not
-- key: gate, system_key, unit_key
-- power_bringup: from racking to provisioning (powering, where nothing is provisioned); a fault opened meanwhile ends the
-- attempt. Without any record of faults nothing is known of it. acceptance: the first complete run of every required
-- test, on whatever hardware was in the unit then; the first figure beyond its limit ends the attempt.
WITH bring_up AS (
    SELECT
        a.system_key, a.unit_key,
        CASE WHEN a.kind IN ('gpu_cluster', 'cpu_cluster') THEN a.provisioned ELSE coalesce(a.provisioned, a.powered) END
            AS up_on,
        a.racked, a.dataset, a._ingest, a._row, a._sheet
    FROM core.asset_units a
    WHERE a.dataset = 'installs' AND a.racked IS NOT NULL AND EXISTS (SELECT 1 FROM stg.failures)
),
faulted AS (
    SELECT b.system_key, b.unit_key, min(f.opened) AS opened, arg_min(f.failure_id, (f.opened, f.failure_id)) AS fault
    FROM bring_up b JOIN core.unit_failures f ON f.system_key = b.system_key AND f.unit_key = b.unit_key
    WHERE f.opened >= b.racked AND (b.up_on IS NULL OR f.opened <= b.up_on)
    GROUP BY b.system_key, b.unit_key
),
tried AS (
    SELECT t.subject_no, t.baseline_no, t.figure_no, a.run_no, a.measured_at, a.largest
    FROM acceptance.fitting t
    JOIN core.baselines b ON b.baseline_no = t.baseline_no AND b.required
    JOIN acceptance.attempts a
        ON a.subject_no = t.subject_no AND a.figure_no = t.figure_no AND a.state IN ('valid', 'stale')
    WHERE a.measured_at IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY t.subject_no, t.baseline_no ORDER BY a.measured_at, a.run_no, t.figure_no) = 1
),
measured AS (
    SELECT
        t.subject_no, t.baseline_no, t.measured_at, f.correctness, f.row_no, f._ingest, f._row, f._sheet, b.test_key,
        b.low, b.high, b.is_open,
        CASE
            WHEN b.dimension = 'native' THEN f.value
            WHEN f.dimension = b.dimension THEN f.value * (f.factor / b.factor)
            WHEN f.dimension = 'byte_rate' AND b.dimension = 'bit_rate' THEN f.value * (8 * f.factor / b.factor)
            WHEN f.dimension = 'bit_rate' AND b.dimension = 'byte_rate' THEN f.value * (f.factor / (8 * b.factor))
        END AS value
    FROM tried t
    JOIN core.baselines b ON b.baseline_no = t.baseline_no
    JOIN core.figures f ON f.subject_no = t.subject_no AND f.figure_no = t.figure_no AND f.run_no = t.run_no
        AND CASE WHEN b.size_bytes IS NULL THEN coalesce(f.size_bytes = t.largest, t.largest IS NULL)
            ELSE f.size_bytes = b.size_bytes END
),
judged AS (
    SELECT
        subject_no, baseline_no, any_value(test_key) AS test_key, any_value(measured_at) AS measured_at,
        bool_or(correctness = 'wrong' OR coalesce(
            value < low OR value > high OR (is_open AND (value = low OR value = high)), false)) AS failed,
        count(value) AS figures,
        arg_min_null(_ingest, row_no) AS _ingest, arg_min_null(_row, row_no) AS _row,
        arg_min_null(_sheet, row_no) AS _sheet
    FROM measured GROUP BY subject_no, baseline_no
),
wanted AS (
    SELECT e.subject_no, count(*) AS tests
    FROM acceptance.expected e JOIN core.baselines b ON b.baseline_no = e.baseline_no AND b.required
    GROUP BY e.subject_no
),
accepted AS (
    SELECT
        j.subject_no, bool_or(j.failed) AS failed, count(*) FILTER (j.figures > 0) AS tests,
        min(j.measured_at) FILTER (j.failed) AS failed_at, max(j.measured_at) AS last_at,
        arg_min(j.test_key, (j.measured_at, j.test_key)) FILTER (j.failed) AS failed_test,
        arg_max_null(j._ingest, (j.failed, j.measured_at, j.baseline_no)) AS _ingest,
        arg_max_null(j._row, (j.failed, j.measured_at, j.baseline_no)) AS _row,
        arg_max_null(j._sheet, (j.failed, j.measured_at, j.baseline_no)) AS _sheet
    FROM judged j GROUP BY j.subject_no
)
SELECT
    'power_bringup' AS gate, b.system_key, b.unit_key, f.opened IS NULL AS passed,
    coalesce(f.opened, b.up_on) AS ended_on,
    CASE WHEN f.opened IS NULL THEN 'up without a fault' ELSE 'fault ' || f.fault || ' opened ' || f.opened END AS note,
    b.dataset, b._ingest, b._row, b._sheet
FROM bring_up b
CROSS JOIN core.settings p
LEFT JOIN faulted f ON f.system_key = b.system_key AND f.unit_key = b.unit_key
WHERE coalesce(f.opened, b.up_on) <= p.as_of
UNION ALL
SELECT
    'acceptance', s.system_key, s.unit_key, NOT a.failed, coalesce(a.failed_at, a.last_at)::DATE,
    CASE WHEN a.failed THEN a.failed_test || ' missed its limit at first' ELSE a.tests || ' tests passed at first' END,
    'benchmarks', a._ingest, a._row, a._sheet
FROM accepted a
CROSS JOIN core.settings p
JOIN wanted w ON w.subject_no = a.subject_no
JOIN core.subjects s ON s.subject_no = a.subject_no
WHERE (a.failed OR a.tests >= w.tests) AND coalesce(a.failed_at, a.last_at) <= p.cut_off
