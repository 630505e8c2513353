-- table: core.escalation_causes
-- grain: one row is a cause for which a rule that is on raises an escalation
-- key: escalation_id
-- The id is the rule and what it is about, so that it is the same escalation for as long as the cause stands. since: the
-- day from which the cause counts, where it is known; owner: who is asked at the level "owner"; days: how late it is. A
-- blocker that holds nothing is not escalated, however old.
WITH causes AS (
    SELECT
        'p80_past_commit' AS rule,
        concat_ws('/', lower(trim(contract)), lower(trim(line)), lower(trim(phase))) AS subject_key,
        concat_ws('/', contract, line, phase) AS subject,
        system_key, owner, NULL::DATE AS since,
        quantity - schedulable AS capacity, unit,
        (p80 - coalesce(internal_commit_date, contract_date))::INTEGER AS days,
        CASE WHEN confidence IS NULL AND p80 IS NULL THEN 'no forecast, and the commit date was '
            ELSE 'P80 ' || coalesce(p80::VARCHAR, 'beyond the horizon') || ' is after the commit date ' END
            || coalesce(internal_commit_date, contract_date) || ' of line ' || concat_ws('/', contract, line, phase)
            || '; ' || figure(quantity - schedulable) || ' of ' || figure(quantity) || ' ' || unit || ' missing' AS cause,
        concat_ws('/', contract, line, phase) AS evidence
    FROM mart.commitments CROSS JOIN core.settings p
    WHERE quantity > schedulable
      AND (p80 > coalesce(internal_commit_date, contract_date)
          OR (p80 IS NULL AND (confidence IS NOT NULL OR coalesce(internal_commit_date, contract_date) < p.as_of)))
    UNION ALL
    SELECT
        'old_blocker', b.blocker_id, b.system_id || ' ' || b.block || ', ' || b.gate || ': ' || b.criterion,
        b.system_key, b.owner, b.first_seen + l.blocker_days,
        b.capacity_held, b.unit, b.age_days,
        b.message || '; open for ' || b.age_days || ' days at gate ' || b.gate || ' of ' || b.system_id
            || ' block ' || b.block,
        b.blocker_id
    FROM mart.blockers b CROSS JOIN core.escalation_limits l
    WHERE b.age_days > l.blocker_days AND b.capacity_held > 0
    UNION ALL
    SELECT
        'regression', concat_ws(':', g.system_key, lower(g.block), g.gate), g.system_id || ' ' || g.block || ', ' || g.gate,
        g.system_key, s.owner, NULL,
        g.waiting_capacity, s.unit, NULL,
        'gate ' || g.gate || ' of ' || g.system_id || ' block ' || g.block || ' had passed and does not hold: '
            || string_agg(c.message, '; ' ORDER BY c.criterion_no),
        string_agg(concat_ws(':', c.system_key, lower(c.block), c.gate, c.criterion), ', ' ORDER BY c.criterion_no)
    FROM mart.gates g
    JOIN core.systems s ON s.system_key = g.system_key
    JOIN mart.criteria c ON c.system_key = g.system_key AND c.block = g.block AND c.gate = g.gate
    WHERE g.state = 'regressed' AND c.state IN ('not met', 'no data', 'stale')
    GROUP BY g.system_key, g.system_id, g.block, g.gate, g.waiting_capacity, s.owner, s.unit
    UNION ALL
    SELECT
        'single_vendor_shortage', n.system_key || ':' || n.part_key, n.system_id || ' ' || n.part_number,
        n.system_key, s.owner, NULL,
        coalesce(h.held, f.contracted - f.reached), s.unit,
        greatest(n.late_days, n.cover_date - coalesce(n.need_date, w.needed_on))::INTEGER,
        n.system_id || ' is short of ' || figure(n.short) || ' ' || n.part_number || ', and all ' || figure(v.expected)
            || ' on order come from ' || v.vendor
            || CASE WHEN n.late_days > 0 THEN '; a promise passed ' || n.late_days || ' days ago' ELSE '' END
            || CASE WHEN n.cover_date IS NULL THEN '; no date covers the need'
                ELSE '; covered on ' || n.cover_date || ', needed on ' || coalesce(n.need_date, w.needed_on) END,
        v.order_lines
    FROM mart.supply n
    JOIN core.open_vendors v ON v.part_key = n.part_key AND v.vendors = 1
    JOIN core.systems s ON s.system_key = n.system_key
    JOIN core.funnel f ON f.system_key = n.system_key AND f.stage = 'received'
    LEFT JOIN (
        SELECT system_key, sum(own_capacity) AS held FROM mart.blockers WHERE metric = 'parts_short' GROUP BY ALL
    ) h ON h.system_key = n.system_key
    JOIN (
        SELECT system_key, min(coalesce(need_date, contract_date)) AS needed_on
        FROM mart.commitments WHERE quantity > schedulable GROUP BY ALL
    ) w ON w.system_key = n.system_key
    WHERE n.short > 0 AND n.orderable
      AND (n.cover_date IS NULL OR n.cover_date > coalesce(n.need_date, w.needed_on) OR n.late_days > 0)
    UNION ALL
    SELECT
        'expired_waiver', lower(trim(w.id)), w.id || ' ' || coalesce(w.title, ''), w.system_key, w.owner, w.expiry,
        g.waiting, s.unit, (p.as_of - w.expiry)::INTEGER,
        'waiver ' || w.id || ' of ' || concat_ws(' ', w.system_id, w.gate, w.criterion) || ' expired on ' || w.expiry
            || ' and is not closed; its criterion fails',
        w.id
    FROM mart.waivers w
    CROSS JOIN core.settings p
    LEFT JOIN core.systems s ON s.system_key = w.system_key
    LEFT JOIN (SELECT system_key, gate, sum(waiting_capacity) AS waiting FROM mart.gates GROUP BY ALL) g
        ON g.system_key = w.system_key AND g.gate = w.gate
    WHERE w.expiry < p.as_of
    UNION ALL
    SELECT
        'overdue_decision', lower(trim(d.id)), d.id || ' ' || d.title, s.system_key, coalesce(d.decider, d.owner),
        d.needed_by, d.impact_units, s.unit, (p.as_of - d.needed_by)::INTEGER,
        'decision ' || d.id || ' was needed by ' || d.needed_by || coalesce('; without it: ' || d.consequence, '')
            || CASE WHEN d.delay_days > 0 THEN '; a week later moves P80 by ' || d.delay_days || ' days' ELSE '' END,
        d.id
    FROM mart.decisions d
    CROSS JOIN core.settings p
    LEFT JOIN core.systems s ON s.system_key = lower(trim(d.system_id))
    WHERE d.overdue
)
SELECT
    c.rule || ':' || c.subject_key AS escalation_id,
    c.rule,
    c.subject,
    c.system_key,
    s.system_id,
    c.owner,
    c.since,
    c.capacity::DECIMAL(18, 3) AS capacity,
    c.unit,
    c.days::INTEGER AS days,
    c.cause,
    c.evidence
FROM causes c
LEFT JOIN core.systems s ON s.system_key = c.system_key
WHERE c.rule IN (SELECT rule FROM core.escalation_levels)
