-- table: mart.gate_events
-- grain: one row is an event of a gate of a block in a week, of this week and all before it
-- key: system_key, block, gate, week, event
-- entered: its work began, or began again because a gate before it fell; passed; waived: passed on waivers, or on other
-- waivers; expired: a waiver that it rested on ended; regressed: it had passed and its own criteria no longer hold.
-- Events follow from the states as each week holds them now, so a restated week and a rebuilt one give the same history.
WITH weeks AS (
    SELECT *, row_number() OVER (ORDER BY week) AS week_no
    FROM (SELECT week, as_of FROM past_weeks UNION ALL SELECT week, as_of FROM core.settings)
),
states AS (
    SELECT * FROM past_gates
    UNION ALL BY NAME
    SELECT p.week, system_key, system_id, block, gate_no, gate, title, state, entered_on, passed_on, judged_on, reason,
        unmet, waiver_ids, expired_waivers, expired_on, decision_id, playbook
    FROM mart.gates CROSS JOIN core.settings p
),
dated AS (
    SELECT s.* REPLACE (coalesce(s.judged_on, w.as_of) AS judged_on), w.week_no
    FROM states s JOIN weeks w ON w.week = s.week
),
paired AS (
    SELECT
        n.*,
        coalesce(b.state, 'not started') AS state_before,
        b.waiver_ids AS waivers_before,
        CASE WHEN b.playbook <> n.playbook THEN 'playbook ' || b.playbook || ' gave way to ' || n.playbook || '; '
            ELSE '' END AS redefined
    FROM dated n
    LEFT JOIN dated b
        ON b.system_key = n.system_key AND b.block = n.block AND b.gate = n.gate AND b.week_no = n.week_no - 1
),
happened AS (
    SELECT *, 'expired' AS event, 1 AS event_no, expired_on AS occurred_on, expired_waivers AS waiver_id,
        'waiver ' || expired_waivers || ' ended on ' || (expired_on - 1) || coalesce('; ' || unmet || ' fails at once', '')
            AS cause
    FROM paired WHERE expired_waivers IS NOT NULL
    UNION ALL BY NAME
    SELECT *, 'entered' AS event, 2 AS event_no, judged_on AS occurred_on, NULL AS waiver_id, redefined || CASE
        WHEN state <> 'in progress' AND week_no = 1 THEN 'first seen with its criteria met'
        WHEN state <> 'in progress' THEN 'begun and finished since the week before'
        WHEN state_before = 'not started' THEN reason
        ELSE 'no longer ' || state_before || ': ' || reason END AS cause
    FROM paired
    WHERE state <> 'not started' AND state_before = 'not started'
       OR state = 'in progress' AND state_before <> 'in progress'
    UNION ALL BY NAME
    SELECT *, 'regressed' AS event, 3 AS event_no, judged_on AS occurred_on, expired_waivers AS waiver_id,
        redefined || reason AS cause
    FROM paired WHERE state = 'regressed' AND state_before <> 'regressed'
    UNION ALL BY NAME
    SELECT *, state AS event, 4 AS event_no, judged_on AS occurred_on,
        CASE WHEN state = 'waived' THEN waiver_ids END AS waiver_id, redefined || reason AS cause
    FROM paired
    WHERE state IN ('passed', 'waived')
        AND (state <> state_before OR (state = 'waived' AND waiver_ids <> waivers_before))
)
SELECT
    system_key,
    system_id,
    block,
    gate_no,
    gate,
    coalesce(title, gate) AS title,
    week,
    event,
    occurred_on,
    state_before,
    state,
    cause,
    CASE WHEN event IN ('expired', 'regressed') OR state = 'in progress' THEN unmet END AS evidence,
    waiver_id,
    CASE WHEN event IN ('passed', 'waived') THEN decision_id END AS decision_id,
    playbook,
    event_no
FROM happened
