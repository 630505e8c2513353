-- table: mart.gates
-- grain: one row is a gate of a block of a system
-- key: system_key, block, gate
-- A gate passes when its criteria are met or waived and every gate before it has passed. Capacity waits at the gate
-- that closes the stage it has not reached, or at the first open gate before that one which closes no stage.
-- Regressed is a gate that had passed and whose own criteria no longer hold; one behind it is in progress again. A gate is
-- entered when every gate before it has passed or some criterion is met, and stays entered.
-- reason: why it is in its state; expired_waivers: what it rested on a week before and what has expired since.
WITH counted AS (
    SELECT
        system_key, block, gate_no, gate,
        count(*) AS criteria,
        count(*) FILTER (state = 'met') AS met,
        count(*) FILTER (state = 'waived') AS waived,
        count(*) FILTER (state = 'no data') AS no_data,
        bool_and(state IN ('met', 'waived')) AS satisfied,
        count(*) FILTER (purpose = 'entry' AND state NOT IN ('met', 'waived')) AS entry_open,
        string_agg(criterion, ', ' ORDER BY criterion_no) FILTER (state NOT IN ('met', 'waived')) AS unmet,
        string_agg(message, '; ' ORDER BY criterion_no) FILTER (state NOT IN ('met', 'waived')) AS unmet_words,
        string_agg(DISTINCT waiver_id, ', ' ORDER BY waiver_id) FILTER (state = 'waived') AS waiver_ids
    FROM mart.criteria GROUP BY ALL
),
chained AS (
    SELECT
        c.*,
        s.system_id, s.playbook || ' ' || s.playbook_version AS playbook,
        g.title, g.stage, g.stage_no, g.owner_role,
        bool_and(c.satisfied) OVER (PARTITION BY c.system_key, c.block ORDER BY c.gate_no) AS passes,
        coalesce(bool_and(c.satisfied) OVER (
            PARTITION BY c.system_key, c.block ORDER BY c.gate_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), true) AS ready,
        arg_min(g.title, c.gate_no) FILTER (NOT c.satisfied) OVER (
            PARTITION BY c.system_key, c.block ORDER BY c.gate_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS waits_for,
        min(CASE WHEN g.stage_no IS NOT NULL THEN c.gate_no END) OVER (
            PARTITION BY c.system_key, c.block ORDER BY c.gate_no ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
        ) AS closing_gate_no
    FROM counted c
    JOIN core.systems s ON s.system_key = c.system_key
    JOIN core.gates g ON g.playbook = s.playbook AND g.gate = c.gate
),
stages AS (
    SELECT
        system_key, block, gate_no, stage_no,
        coalesce(lag(stage_no) OVER (PARTITION BY system_key, block ORDER BY gate_no), 0) AS stage_before
    FROM chained WHERE stage_no IS NOT NULL
),
held AS (
    SELECT t.system_key, t.block, t.gate_no AS closing_gate_no, sum(f.held) AS held
    FROM stages t
    JOIN core.block_sizes b ON b.system_key = t.system_key AND b.block = t.block
    JOIN core.block_funnel f
        ON f.system_key = t.system_key AND f.block_key = b.block_key
        AND f.stage_no > t.stage_before AND f.stage_no <= t.stage_no
    GROUP BY ALL
),
waiting AS (
    SELECT
        system_key, block, closing_gate_no,
        coalesce(min(gate_no) FILTER (NOT satisfied AND stage_no IS NULL), closing_gate_no) AS gate_no
    FROM chained GROUP BY system_key, block, closing_gate_no
),
lapsed AS (
    SELECT
        past.system_key, past.block, past.gate,
        string_agg(DISTINCT c.id, ', ' ORDER BY c.id) AS ids,
        min(c.last_day) + 1 AS expired_on
    FROM past_gates past
    JOIN core.settings p ON past.week = p.previous_week AND past.state <> 'not started'
    JOIN core.waiver_covers c
        ON c.system_key = past.system_key AND c.gate = past.gate AND c.flaw = 'expired'
        AND list_contains(string_split(past.waiver_ids, ', '), c.id)
    JOIN core.waivers w ON w.id_key = c.id_key AND (NOT w.in_force OR c.last_day >= past.judged_on)
    GROUP BY ALL
),
decided AS (
    SELECT
        b.system_key, b.block, d.gate, d.outcome || ' by ' || d.approver || ' on ' || d.decided AS decision,
        coalesce(d.decision_id, d.document, d.decided::VARCHAR) AS decision_id
    FROM core.block_sizes b
    JOIN core.signed_decisions d
        ON d.system_key = b.system_key AND (d.block_key = b.block_key OR d.block_key IN ('all', '*'))
    QUALIFY row_number() OVER (
        PARTITION BY b.system_key, b.block, d.gate
        ORDER BY d.entitled IS FALSE, d.decided DESC, d.block_key = b.block_key DESC, d._ingest, d._row, d.sheet) = 1
),
dated AS (
    SELECT
        c.*,
        CASE
            WHEN c.passes AND c.waived > 0 THEN 'waived'
            WHEN c.passes THEN 'passed'
            WHEN past.state IN ('passed', 'waived', 'regressed') AND NOT c.satisfied THEN 'regressed'
            WHEN c.ready OR c.met > 0 OR past.state <> 'not started' THEN 'in progress'
            ELSE 'not started'
        END AS state,
        past.entered_on AS entered_before,
        past.passed_on AS passed_before,
        past.state AS state_before,
        p.as_of,
        x.ids AS expired_waivers,
        x.expired_on,
        d.decision,
        d.decision_id,
        coalesce(h.held, 0)::DECIMAL(18, 3) AS waiting_capacity
    FROM chained c
    CROSS JOIN core.settings p
    LEFT JOIN past_gates past
        ON past.week = p.previous_week AND past.system_key = c.system_key AND past.block = c.block
            AND past.gate = c.gate
    LEFT JOIN lapsed x ON x.system_key = c.system_key AND x.block = c.block AND x.gate = c.gate
    LEFT JOIN decided d ON d.system_key = c.system_key AND d.block = c.block AND d.gate = c.gate
    LEFT JOIN waiting w ON w.system_key = c.system_key AND w.block = c.block AND w.gate_no = c.gate_no
    LEFT JOIN held h ON h.system_key = w.system_key AND h.block = w.block AND h.closing_gate_no = w.closing_gate_no
)
SELECT
    system_key,
    system_id,
    block,
    gate_no,
    gate,
    title,
    stage,
    state,
    CASE WHEN state <> 'not started' THEN coalesce(entered_before, as_of) END AS entered_on,
    CASE
        WHEN state NOT IN ('passed', 'waived') THEN NULL
        WHEN state_before IN ('passed', 'waived') THEN passed_before
        ELSE as_of
    END AS passed_on,
    criteria,
    met,
    no_data,
    waiting_capacity,
    owner_role,
    CASE WHEN state IN ('in progress', 'regressed')
        THEN (as_of - coalesce(entered_before, as_of))::INTEGER END AS days_waiting,
    waived,
    ready AND NOT passes AS is_current,
    entry_open,
    CASE state
        WHEN 'passed' THEN met || ' of ' || criteria || ' criteria met' || coalesce('; ' || decision, '')
        WHEN 'waived' THEN met || ' of ' || criteria || ' criteria met, the rest on ' || waiver_ids
            || coalesce('; ' || decision, '')
        WHEN 'regressed' THEN unmet_words
        WHEN 'in progress' THEN CASE WHEN ready THEN 'every gate before it has passed; open: ' || unmet
            ELSE 'waits for gate ' || waits_for || '; ' || met || ' of ' || criteria || ' criteria met' END
    END AS reason,
    unmet,
    waiver_ids,
    expired_waivers,
    expired_on,
    decision_id,
    playbook,
    as_of AS judged_on
FROM dated
