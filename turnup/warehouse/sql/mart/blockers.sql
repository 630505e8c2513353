-- table: mart.blockers
-- grain: one row is an unmet criterion on the way to the next gate of a block, or at a gate where capacity waits
-- key: blocker_id
-- Held: what waits at the gate, plus what is contracted and not schedulable in systems that need this one (each
-- once). Ranked by accelerators held x days first (a blocker new this week counts one day), then by kind.
WITH dependents AS (
    SELECT
        c.system_key, c.gate_no, sum(f.contracted - f.reached) FILTER (s.kind = 'gpu_cluster') AS accelerators
    FROM (SELECT DISTINCT system_key, gate_no FROM mart.criteria) c
    JOIN core.need_paths o ON o.root_key = c.system_key AND o.gate_no >= c.gate_no
    JOIN core.systems s ON s.system_key = o.system_key
    JOIN core.funnel f ON f.system_key = o.system_key AND f.stage = 'schedulable'
    GROUP BY ALL
),
unmet AS (
    SELECT
        c.*,
        s.kind, s.unit AS kind_unit, s.owner, k.kind_no,
        g.title AS gate_title, g.waiting_capacity, g.days_waiting,
        concat_ws(':', c.system_key, lower(c.block), c.gate, c.criterion) AS blocker_id,
        coalesce(d.accelerators, 0) AS downstream_accelerators
    FROM mart.criteria c
    JOIN core.systems s ON s.system_key = c.system_key
    JOIN core.kinds k ON k.kind = s.kind
    JOIN mart.gates g ON g.system_key = c.system_key AND g.block = c.block AND g.gate = c.gate
    LEFT JOIN dependents d ON d.system_key = c.system_key AND d.gate_no = c.gate_no
    WHERE c.state IN ('not met', 'no data', 'stale') AND (g.is_current OR g.waiting_capacity > 0)
),
aged AS (
    SELECT
        u.*,
        coalesce(b.first_seen_week, p.week) AS first_seen_week,
        coalesce(b.first_seen, p.as_of) AS first_seen,
        (p.as_of - coalesce(b.first_seen, p.as_of))::INTEGER AS age_days,
        CASE WHEN u.kind = 'gpu_cluster' THEN u.waiting_capacity ELSE 0 END + u.downstream_accelerators AS accelerators
    FROM unmet u
    CROSS JOIN core.settings p
    LEFT JOIN past_blockers b ON b.week = p.previous_week AND b.blocker_id = u.blocker_id
)
SELECT
    row_number() OVER (
        ORDER BY accelerators * greatest(age_days, 1) DESC, accelerators DESC, kind_no,
            waiting_capacity * greatest(age_days, 1) DESC, waiting_capacity DESC, blocker_id
    ) AS rank,
    blocker_id,
    system_key,
    system_id,
    block,
    kind,
    gate,
    criterion,
    title,
    message,
    (CASE WHEN accelerators > 0 THEN accelerators ELSE waiting_capacity END)::DECIMAL(18, 3) AS capacity_held,
    CASE WHEN accelerators > 0 THEN 'accelerators' ELSE kind_unit END AS unit,
    age_days,
    (CASE WHEN accelerators > 0 THEN accelerators
        ELSE waiting_capacity END * greatest(age_days, 1))::DECIMAL(18, 3) AS capacity_days,
    first_seen_week,
    owner,
    owner_role,
    evidence_rows,
    state,
    metric,
    first_seen,
    waiting_capacity AS own_capacity,
    downstream_accelerators::DECIMAL(18, 3) AS downstream_accelerators,
    severity,
    gate_title,
    gate_no
FROM aged
