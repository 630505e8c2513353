-- table: mart.commitments
-- grain: one row is a commitment line and phase in force
-- key: contract, line, phase
-- Status (worst first): red: overdue and P50 later than the contract date plus tolerance (or no P50), or not due and
-- P50 after the contract date; amber: overdue within tolerance, P80 after the contract date, or carried by a waiver
-- that expires soon; grey: no forecast, or required evidence missing or too old; green: none of these.
-- Idle capacity is billed and not schedulable: each week adds its days and, at twelve months of 365 days, its cost to
-- what the week before told; without a unit cost the cost is not known, and stays so.
WITH first_issued AS (
    SELECT contract, line, phase, arg_min(p50, week) AS p50
    FROM past_commitments WHERE p50 IS NOT NULL GROUP BY ALL
),
steady AS (
    SELECT h.contract, h.line, h.phase, count(*) AS weeks, count(DISTINCT h.p50) AS dates, min(h.status) AS least,
        max(h.status) AS most
    FROM past_commitments h CROSS JOIN core.settings p
    JOIN past_weeks w ON w.week = h.week AND w.as_of >= p.as_of - 28
    GROUP BY ALL
),
facts AS (
    SELECT
        c.*,
        f.p50, f.p80, f.confidence, f.note AS forecast_note, f.complete_on, f.remaining,
        past.status AS status_before, past.weeks_in_status AS weeks_before, past.p50 AS p50_before,
        past.confidence AS confidence_prev, past.idle_cost AS idle_cost_before, past.idle_days AS idle_days_before,
        past.contract AS contract_before, p.as_of, p.tolerance_days, p.waiver_days, p.week,
        monday(p.week) - monday(p.previous_week) AS days_since,
        b.p50 AS first_p50,
        g.first_gap, g.gaps, g.driver,
        g.earliest_expiry, g.first_waiver,
        y.weeks AS steady_weeks, y.dates AS steady_dates, y.least AS steady_least, y.most AS steady_most
    FROM core.line_supply c
    CROSS JOIN core.settings p
    LEFT JOIN core.forecasts f
        ON f.scope_type = 'commitment' AND f.key = concat_ws(chr(31), c.contract_key, c.line_key, c.phase_key)
    LEFT JOIN past_commitments past
        ON past.week = p.previous_week AND past.contract = c.contract AND past.line = c.line AND past.phase = c.phase
    LEFT JOIN first_issued b ON b.contract = c.contract AND b.line = c.line AND b.phase = c.phase
    LEFT JOIN steady y ON y.contract = c.contract AND y.line = c.line AND y.phase = c.phase
    LEFT JOIN core.line_facts g
        ON g.contract_key = c.contract_key AND g.line_key = c.line_key AND g.phase_key = c.phase_key
),
rated AS (
    SELECT
        *,
        CASE
            WHEN due_now AND shortfall > 0 THEN
                CASE WHEN p50 <= contract_date + tolerance_days THEN 'amber' ELSE 'red' END
            WHEN remaining > 0 AND p50 > contract_date THEN 'red'
            WHEN remaining > 0 AND confidence IS NOT NULL AND p50 IS NULL THEN 'red'
            WHEN remaining > 0 AND confidence IS NOT NULL AND (p80 > contract_date OR p80 IS NULL) THEN 'amber'
            WHEN earliest_expiry <= as_of + waiver_days THEN 'amber'
            WHEN remaining > 0 AND p50 IS NULL THEN 'grey'
            WHEN gaps > 0 THEN 'grey'
            ELSE 'green'
        END AS status
    FROM facts
),
reasoned AS (
    SELECT
        *,
        CASE
            WHEN due_now AND shortfall > 0 THEN
                'overdue since ' || contract_date || ', short ' || figure(shortfall) || ' ' || unit
                || coalesce(', P50 ' || p50, ', ' || forecast_note)
            WHEN status = 'red' THEN 'P50 ' || coalesce(p50::VARCHAR,
                'beyond the horizon') || ' is after the contract date ' || contract_date
            WHEN status = 'amber' AND remaining > 0 AND confidence IS NOT NULL
                AND (p80 > contract_date OR p80 IS NULL) THEN
                'P80 ' || coalesce(p80::VARCHAR,
                    'beyond the horizon') || ' is after the contract date ' || contract_date
            WHEN status = 'amber' THEN 'carried by waiver ' || first_waiver || ', which expires on ' || earliest_expiry
            WHEN status = 'grey' AND remaining > 0 AND p50 IS NULL THEN forecast_note
            WHEN status = 'grey' THEN 'evidence missing or too old: ' || first_gap
            WHEN remaining = 0 THEN 'reached on ' || complete_on
            ELSE 'P80 ' || p80 || ' is on or before the contract date ' || contract_date
        END
        || CASE WHEN status = 'amber' AND steady_weeks >= 4 AND steady_dates <= 1 AND steady_least = 'amber'
            AND steady_most = 'amber'
            AND p50_before IS NOT DISTINCT FROM p50 THEN '; stuck: more than 4 weeks without a changed P50'
                ELSE '' END AS status_reason,
        CASE WHEN billing_start <= as_of THEN quantity - schedulable ELSE 0 END AS idle_quantity
    FROM rated
),
idle AS (
    SELECT
        *,
        CASE WHEN idle_quantity = 0 THEN 0
            WHEN contract_before IS NOT NULL THEN least(days_since, as_of - billing_start)
                ELSE as_of - billing_start END AS new_idle_days
    FROM reasoned
)
SELECT
    i.contract,
    i.line,
    i.phase,
    i.amendment,
    i.system_key,
    i.system_id,
    i.kind,
    i.unit,
    i.quantity,
    i.contract_date,
    i.internal_commit_date,
    i.need_date,
    i.due_now,
    i.schedulable,
    i.shortfall,
    i.p50,
    i.p80,
    i.confidence,
    i.confidence_prev,
    (i.contract_date - i.p50)::INTEGER AS margin_days,
    (i.p50 - i.p50_before)::INTEGER AS slip_week_days,
    (i.p50 - i.first_p50)::INTEGER AS slip_baseline_days,
    i.status,
    i.status_reason,
    CASE WHEN i.status = i.status_before THEN coalesce(i.weeks_before, 0) + 1 ELSE 1 END AS weeks_in_status,
    i.owner,
    i.billing_start,
    i.unit_cost,
    i.currency,
    i.idle_quantity::DECIMAL(18, 3) AS idle_quantity,
    (coalesce(i.idle_days_before, 0) + i.new_idle_days)::INTEGER AS idle_days,
    CASE WHEN (i.idle_days_before > 0 AND i.idle_cost_before IS NULL)
            OR (i.idle_quantity > 0 AND i.new_idle_days > 0 AND i.unit_cost IS NULL) THEN NULL
        ELSE coalesce(i.idle_cost_before, 0)
            + round(i.idle_quantity * coalesce(i.unit_cost, 0) * 12 * i.new_idle_days / 365, 2)
    END::DECIMAL(18, 2) AS idle_cost,
    CASE WHEN i.remaining > 0 OR i.shortfall > 0 THEN i.driver END AS driver,
    i.first_contract_date,
    i.complete_on,
    i.forecast_note,
    d.first_internal_date,
    (i.contract_date - i.first_contract_date)::INTEGER AS moved_days,
    d.claimed_contract_date,
    d.claimed_internal_date,
    d.held AS dates_held,
    d.decisions AS date_decisions,
    'B' || b.baseline_no AS baseline_id
FROM idle i
JOIN core.commit_dates d ON d.contract_key = i.contract_key AND d.line_key = i.line_key AND d.phase_key = i.phase_key
LEFT JOIN mart.baselines b
    ON b.contract_key = i.contract_key AND b.line_key = i.line_key AND b.phase_key = i.phase_key
        AND b.replaced_on IS NULL
