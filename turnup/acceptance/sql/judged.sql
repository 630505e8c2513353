-- table: acceptance.judged
-- grain: one row is a value judged by a baseline
-- key: subject_no, baseline_no, row_no
-- Only pass is good. A figure that was not checked, not measured, impossible or of another kind of unit is not bad
-- hardware, and no evidence either. rank orders verdicts: pass 0, warn 1, not_evaluated 2, tool_error 3, conflict 4, fail 5.
WITH converted AS (
    SELECT
        c.subject_no, c.baseline_no, c.figure_no, r.row_no, r.member, r.size_bytes, r.value AS given,
        r.unit AS given_unit, r.correctness, r.status, r.outcome,
        CASE
            WHEN b.dimension = 'native' THEN r.value
            WHEN r.dimension = b.dimension THEN r.value * (r.factor / b.factor)
            WHEN r.dimension = 'byte_rate' AND b.dimension = 'bit_rate' THEN r.value * (8 * r.factor / b.factor)
            WHEN r.dimension = 'bit_rate' AND b.dimension = 'byte_rate' THEN r.value * (r.factor / (8 * b.factor))
        END AS value,
        b.unit, b.dimension, b.low, b.high, b.is_open, b.warn_low, b.warn_high, b.verified, b.peak, b.review_above
    FROM acceptance.fitting c
    JOIN core.baselines b ON b.baseline_no = c.baseline_no
    JOIN acceptance.readings r ON r.subject_no = c.subject_no AND r.figure_no = c.figure_no
    WHERE c.is_chosen AND CASE WHEN b.size_bytes IS NULL THEN r.is_largest ELSE r.size_bytes = b.size_bytes END
),
ranked AS (
    SELECT
        *,
        CASE
            WHEN correctness = 'wrong' THEN 5
            WHEN status = 'tool_error' THEN 3
            WHEN status = 'conflict' THEN 4
            WHEN given IS NULL OR status <> 'valid' OR NOT isfinite(given) THEN 2
            WHEN value IS NULL THEN 4
            WHEN value < 0 AND dimension NOT IN ('temperature', 'native') THEN 4
            WHEN value > peak * review_above THEN 4
            WHEN value < low OR value > high OR (is_open AND (value = low OR value = high)) THEN 5
            WHEN verified AND correctness NOT IN ('clean', 'not_applicable') THEN 2
            WHEN value > peak OR value < warn_low OR value > warn_high THEN 1
            ELSE 0
        END AS rank
    FROM converted
)
SELECT
    subject_no, baseline_no, figure_no, row_no, member, size_bytes, value, rank,
    correctness IN ('clean', 'not_applicable') AS is_checked,
    CASE WHEN high IS NULL THEN -value ELSE greatest(value - high, low - value) END AS badness,
    CASE
        WHEN rank = 0 THEN NULL
        WHEN correctness = 'wrong' THEN 'wrong values: the data were corrupted'
        WHEN status IN ('tool_error', 'conflict') THEN 'the tool says: ' || coalesce(outcome, status)
        WHEN given IS NULL OR status <> 'valid' THEN 'not measured (' || status || ')'
        WHEN NOT isfinite(given) THEN 'not a number'
        WHEN value IS NULL THEN 'measured in ' || given_unit || ', the limit is in ' || unit
        WHEN rank = 4 AND value < 0 THEN 'a negative figure is impossible'
        WHEN rank IN (1, 4) AND value > peak THEN 'review: ' || figure(value) || ' is over the physical peak of '
            || figure(peak) || ' ' || unit
        WHEN rank = 2 THEN 'correctness not verified'
    END AS reason
FROM ranked
