-- table: core.own_criteria
-- grain: one row is a criterion of a playbook's gate for a block of a system (mart.criteria adds what needs ask)
-- key: system_key, block, gate, criterion
-- No evidence is "no data", whatever the threshold; evidence older than its limit, or from a source that is, is
-- "stale" as long as the gate is open or the criterion is standing. A waiver in force covers anything but a criterion
-- that is met. One with needs only says where dependencies are asked (core.needs), which are judged by themselves.
WITH asked AS (
    SELECT
        s.system_key, s.system_id, b.block_key, b.block, b.planned, k.contracted,
        g.gate_no, g.gate, c.*  EXCLUDE (playbook, gate),
        past.state IN ('passed', 'waived') AS passed_before
    FROM core.systems s
    JOIN core.contracted k ON k.system_key = s.system_key
    JOIN core.block_sizes b ON b.system_key = s.system_key
    JOIN core.gates g ON g.playbook = s.playbook AND list_contains(g.supply_models, s.supply_model)
    JOIN core.criteria c ON c.playbook = g.playbook AND c.gate = g.gate
        AND list_contains(c.supply_models, s.supply_model)
        AND c.needs IS NULL
    CROSS JOIN core.settings p
    LEFT JOIN past_gates past
        ON past.week = p.previous_week AND past.system_key = s.system_key AND past.block = b.block
            AND past.gate = g.gate
),
measured AS (
    SELECT
        a.*,
        CASE a.scope WHEN 'unit' THEN u.value ELSE v.value END AS figure,
        coalesce(CASE a.scope WHEN 'unit' THEN u.evidence_rows ELSE v.evidence_rows END, 0) AS evidence_rows,
        CASE a.scope WHEN 'unit' THEN u.evidence_at ELSE v.evidence_at END AS evidence_at,
        coalesce(CASE a.scope WHEN 'unit' THEN u.stale_rows ELSE v.stale_rows END, 0) AS stale_rows,
        CASE a.scope
            WHEN 'unit' THEN a.min_share
            WHEN 'system' THEN coalesce(a.threshold, a.contracted::DOUBLE)
            ELSE coalesce(a.threshold, a.planned::DOUBLE)
        END AS wanted,
        CASE a.scope WHEN 'unit' THEN '>=' ELSE a.comparison END AS operator
    FROM asked a
    LEFT JOIN core.metric_scopes v
        ON v.metric = a.metric AND v.scope = a.scope AND v.system_key = a.system_key
        AND v.block_key = CASE a.scope WHEN 'system' THEN '*' ELSE a.block_key END
    LEFT JOIN core.unit_shares u
        ON u.metric = CASE a.scope WHEN 'unit' THEN a.metric END AND u.comparison = a.comparison AND u.threshold = a.threshold
        AND u.system_key = a.system_key AND u.block_key = a.block_key
),
judged AS (
    SELECT
        m.*,
        CASE m.operator
            WHEN '>=' THEN m.figure >= m.wanted
            WHEN '<=' THEN m.figure <= m.wanted
            WHEN '>' THEN m.figure > m.wanted
            WHEN '<' THEN m.figure < m.wanted
            WHEN '==' THEN m.figure = m.wanted
            ELSE m.figure <> m.wanted
        END AS satisfied,
        (m.standing OR NOT coalesce(m.passed_before, false)) AND (
            m.stale_rows > 0
            OR coalesce(m.evidence_at < p.cut_off - to_days(m.evidence_age_days), false)
        ) AS stale
    FROM measured m CROSS JOIN core.settings p
),
waived AS (
    SELECT j.system_key, j.block_key, j.gate, j.criterion, min(w.id) AS waiver_id, min(w.last_day) AS expiry
    FROM judged j
    JOIN core.waiver_covers w
        ON w.flaw IS NULL AND w.system_key = j.system_key AND w.gate = j.gate AND w.criterion = j.criterion
        AND (w.reach = 'system' OR (w.reach = 'block' AND w.scope = j.block_key))
    GROUP BY ALL
)
SELECT
    j.system_key,
    j.system_id,
    j.block,
    j.gate,
    j.criterion,
    j.metric,
    j.operator AS comparison,
    j.wanted AS threshold,
    j.figure AS value,
    CASE
        WHEN j.scope = 'unit' THEN 'share of units'
        WHEN d.unit = 'capacity' THEN s.unit
        ELSE d.unit
    END AS unit,
    CASE
        WHEN j.evidence_rows > 0 AND j.satisfied AND NOT j.stale THEN 'met'
        WHEN w.waiver_id IS NOT NULL THEN 'waived'
        WHEN j.evidence_rows = 0 OR j.figure IS NULL OR j.wanted IS NULL THEN 'no data'
        WHEN NOT j.satisfied THEN 'not met'
        ELSE 'stale'
    END AS state,
    j.evidence_rows,
    j.evidence_at,
    j.severity,
    w.waiver_id,
    CASE
        WHEN j.evidence_rows = 0 OR j.figure IS NULL THEN j.title || ': no evidence'
        WHEN j.satisfied AND j.stale THEN j.title || ': evidence is too old (' || coalesce(strftime(j.evidence_at,
            '%Y-%m-%d'), 'its source is stale') || ')'
        WHEN j.scope = 'unit' OR d.unit = 'share' THEN j.title || ': ' || figure(floor(round(1000 * j.figure, 6)) / 10)
            || ' % (wanted ' || j.operator || ' ' || figure(100 * j.wanted) || ' %)'
        ELSE j.title || ': ' || figure(j.figure) || ' (wanted ' || j.operator || ' ' || figure(j.wanted) || ')'
    END AS message,
    j.gate_no,
    j.criterion_no,
    j.title,
    j.standing,
    j.owner_role,
    w.expiry AS waiver_expiry,
    j.purpose
FROM judged j
JOIN core.systems s ON s.system_key = j.system_key
JOIN core.metric_definitions d ON d.metric = j.metric
LEFT JOIN waived w
    ON w.system_key = j.system_key AND w.block_key = j.block_key AND w.gate = j.gate AND w.criterion = j.criterion
