-- table: mart.unit_states
-- grain: one row is a unit: what of it is schedulable, or the first stage at which it is held, with that stage's row
-- key: system_key, unit_key
-- loss says why a unit is held, as far as its evidence says: a fault is open or the state names one; maintenance is
-- named; anything else somebody took away; no row at all is no data.
WITH missing AS (
    SELECT system_key, unit_key, min(stage_no) FILTER (applicable AND NOT counts) AS held_no, max(stage_no) AS last_no
    FROM core.unit_stages GROUP BY ALL
),
broken AS (
    SELECT system_key, unit_key, min(failure_id) AS failure_id
    FROM core.unit_failures f CROSS JOIN core.settings p
    WHERE f.closed IS NULL OR f.closed > p.as_of GROUP BY ALL
),
stated AS (
    SELECT
        e.*,
        s.kind,
        s.unit,
        coalesce(u.serial_key, u.unit_key) AS identity,
        CASE WHEN m.held_no IS NOT NULL THEN e.stage END AS held_at,
        b.failure_id,
        lower(coalesce(e.note, '')) AS words
    FROM missing m
    JOIN core.unit_stages e
        ON e.system_key = m.system_key AND e.unit_key = m.unit_key AND e.stage_no = coalesce(m.held_no, m.last_no)
    JOIN core.units u ON u.system_key = m.system_key AND u.unit_key = m.unit_key
    JOIN core.systems s ON s.system_key = m.system_key
    LEFT JOIN broken b ON b.system_key = m.system_key AND b.unit_key = m.unit_key
)
SELECT
    t.system_key,
    t.system_id,
    t.kind,
    t.unit,
    t.unit_key,
    t.unit_id,
    t.identity,
    CASE WHEN t.held_at IS NULL THEN t.quantity ELSE 0 END::DECIMAL(18, 3) AS capacity,
    t.held_at,
    CASE
        WHEN t.held_at IS NULL THEN NULL
        WHEN t.has IS NULL THEN 'no data'
        WHEN t.failure_id IS NOT NULL THEN 'fault'
        WHEN t.held_at = 'handed_over' THEN 'withdrawal'
        WHEN regexp_matches(t.words, 'maint|upgrade|firmware|patch|reboot|bios') THEN 'maintenance'
        WHEN t.held_at IN ('l1_valid', 'accepted') OR t.kind NOT IN ('gpu_cluster', 'cpu_cluster') THEN 'fault'
        WHEN regexp_matches(
            t.words, 'down|fail|fault|error|not.?ready|respond|unreach|unknown|xid|ecc\b|nvlink|replace|rma\b|broken'
        ) THEN 'fault'
        ELSE 'withdrawal'
    END AS loss,
    concat_ws('; ', nullif(t.note, ''), 'fault ' || t.failure_id || ' is open') AS note,
    t.observed_at,
    t.dataset,
    i.file,
    t._sheet AS sheet,
    t._row AS "row"
FROM stated t
LEFT JOIN meta.ingests i ON i._ingest = t._ingest
