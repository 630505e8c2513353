-- table: mart.waivers
-- grain: one row is a waiver that was not closed
-- key: id
-- quantity: schedulable capacity of units that rest on it; expired: past its expiry, or without expiry or approver.
WITH carried AS (
    SELECT system_key, waiver_id, sum(quantity) AS quantity FROM core.waived_units GROUP BY ALL
)
SELECT
    w.id,
    coalesce(s.system_id, w.system_id) AS system_id,
    w.gate,
    w.criterion,
    w.approver,
    w.expiry,
    (w.expiry - p.as_of)::INTEGER AS days_left,
    w.compensating_action,
    coalesce(c.quantity, 0)::DECIMAL(18, 3) AS quantity,
    NOT w.in_force AS expired,
    w.owner,
    w.title,
    w.scope,
    w.system_key
FROM core.waivers w
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = w.system_key
LEFT JOIN carried c ON c.system_key = w.system_key AND c.waiver_id = w.id
