-- table: mart.storage
-- grain: one row is a storage system: usable against contract, state, clients, its own limits, headroom, and what is not ready
-- key: system_key
-- short: what usable lacks of what is due (of what is contracted while nothing is due). degraded_since, rebuilding_since:
-- the first observation of the present spell. run_out_on: the first week end by which at least half of the runs have run
-- out; run_out_early: one run in five. covered_to: the last week end of which demand is known.
WITH spells AS (
    SELECT
        t.system_id_key AS system_key,
        min(t.observed_at) FILTER (t.observed_at > coalesce(e.sound_at, '-infinity'::TIMESTAMP)) AS degraded_since,
        min(t.observed_at) FILTER (t.observed_at > coalesce(e.built_at, '-infinity'::TIMESTAMP)) AS rebuilding_since
    FROM stg.storage_state t
    CROSS JOIN core.settings p
    JOIN (
        SELECT system_id_key, max(observed_at) FILTER (NOT coalesce(degraded, false)) AS sound_at,
            max(observed_at) FILTER (NOT coalesce(rebuilding, false)) AS built_at
        FROM stg.storage_state CROSS JOIN core.settings q WHERE observed_at <= q.cut_off GROUP BY ALL
    ) e ON e.system_id_key = t.system_id_key
    WHERE t.observed_at <= p.cut_off
    GROUP BY t.system_id_key
),
tests AS (
    SELECT system_key, count(*) AS limits, count(*) FILTER (verdict = 'pass') AS passed,
        count(*) FILTER (NOT is_evaluated) AS unmeasured,
        string_agg(DISTINCT test_key, ', ' ORDER BY test_key) AS tests
    FROM core.unit_tests GROUP BY system_key
),
unmet AS (
    SELECT c.system_key, string_agg(CASE c.block WHEN 'all' THEN '' ELSE 'block ' || c.block || ': ' END || c.message,
        '; '         ORDER BY c.block, c.gate_no, c.criterion_no) AS not_ready
    FROM mart.criteria c
    JOIN core.gates g ON g.gate = c.gate
    JOIN core.systems s ON s.system_key = c.system_key AND s.playbook = g.playbook
    JOIN core.block_sizes b ON b.system_key = c.system_key AND b.block = c.block
    JOIN core.contracted k ON k.system_key = c.system_key
    WHERE g.stage IN ('accepted', 'schedulable') AND c.state NOT IN ('met', 'waived')
      AND (k.due = 0 OR b.planned_before < k.due)
    GROUP BY c.system_key
),
outs AS (
    SELECT
        system_key,
        min(week_end) FILTER (odds_run_out >= 0.5) AS run_out_on,
        min(week_end) FILTER (odds_run_out >= 0.2) AS run_out_early,
        max(week_end) FILTER (odds_run_out IS NOT NULL) AS covered_to,
        max(odds_run_out) AS odds_run_out,
        min(headroom_p50) FILTER (week_no = 0) AS headroom_now,
        any_value(demand_basis) AS demand_basis, max(undated) AS undated
    FROM core.storage_weeks GROUP BY system_key
)
SELECT
    s.system_key, s.system_id, s.site_id, k.contracted, k.due, f.reached AS schedulable,
    t.observed_at, t.fresh, t.usable, t.used, t.serving,
    CASE WHEN t.usable IS NOT NULL THEN greatest(0, CASE WHEN k.due > 0 THEN k.due ELSE k.contracted END - t.usable) END
        ::DECIMAL(18, 3) AS short,
    CASE WHEN t.usable IS NOT NULL AND k.contracted > 0 THEN greatest(0, 1 - t.usable / CASE WHEN k.due > 0 THEN k.due
        ELSE k.contracted END) END::DECIMAL(9, 6) AS short_share,
    t.degraded, CASE WHEN t.degraded THEN e.degraded_since END AS degraded_since,
    t.rebuilding, CASE WHEN t.rebuilding THEN e.rebuilding_since END AS rebuilding_since,
    t.client_mounts, c.expected AS clients_expected, c.basis AS clients_basis,
    coalesce(v.limits, 0)::INTEGER AS limits, coalesce(v.passed, 0)::INTEGER AS limits_passed,
    coalesce(v.unmeasured, 0)::INTEGER AS limits_unmeasured, v.tests,
    o.demand_basis, o.headroom_now, o.run_out_on, o.run_out_early, o.covered_to, o.odds_run_out, o.undated,
    coalesce(u.not_ready, '') AS not_ready
FROM core.systems s
JOIN core.contracted k ON k.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
LEFT JOIN core.storage_now t ON t.system_key = s.system_key
LEFT JOIN core.storage_clients c ON c.system_key = s.system_key
LEFT JOIN spells e ON e.system_key = s.system_key
LEFT JOIN tests v ON v.system_key = s.system_key
LEFT JOIN unmet u ON u.system_key = s.system_key
LEFT JOIN outs o ON o.system_key = s.system_key
WHERE s.kind = 'storage'
