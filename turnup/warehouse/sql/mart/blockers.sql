-- table: mart.blockers
-- grain: one row is an unmet criterion on the way to the next gate of a block, or at a gate where capacity waits
-- key: blocker_id
-- Held: what waits at the gate, plus what is contracted and not schedulable in systems that need this one (each
-- once). Ranked by accelerators held x days first (a blocker new this week counts one day), then by kind.
WITH RECURSIVE needs AS (
    SELECT DISTINCT d.to_system_key AS needed, d.from_system_key AS dependent, lower(trim(d.gate)) AS gate
    FROM stg.dependencies d
    WHERE d.from_system_key <> d.to_system_key
),
downstream AS (
    SELECT needed AS root, dependent, gate, 1 AS depth FROM needs
    UNION
    SELECT d.root, n.dependent, d.gate, d.depth + 1 FROM downstream d JOIN needs n ON n.needed = d.dependent
        WHERE d.depth < 12
),
open_needs AS (
    SELECT DISTINCT d.root, d.dependent
    FROM downstream d
    LEFT JOIN (SELECT system_key, gate, bool_and(state IN ('passed', 'waived')) AS passed FROM mart.gates
        GROUP BY ALL) g
        ON g.system_key = d.root AND g.gate = d.gate
    WHERE NOT coalesce(g.passed, false) AND d.dependent <> d.root
),
dependents AS (
    SELECT
        o.root,
        sum(f.contracted - f.reached) FILTER (s.kind = 'gpu_cluster') AS accelerators,
        count(*) AS systems
    FROM open_needs o
    JOIN core.systems s ON s.system_key = o.dependent
    JOIN core.funnel f ON f.system_key = o.dependent AND f.stage = 'schedulable'
    GROUP BY o.root
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
    LEFT JOIN dependents d ON d.root = c.system_key
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
