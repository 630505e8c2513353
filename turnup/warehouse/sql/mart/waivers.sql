-- table: mart.waivers
-- grain: one row is a waiver that was not closed
-- key: id
-- quantity: schedulable capacity of units that rest on it; expired: it stands for nothing today, and flaw says why: past
-- its expiry, without expiry or approver, not waivable, approved by somebody who may not, or naming no criterion.
-- expiry: its last day; written_expiry: as written, which the playbook's longest time may cut.
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
    w.system_key,
    w.opened,
    w.written_expiry,
    w.flaw,
    w.longest_days,
    w.may_waive
FROM core.waivers w
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = w.system_key
LEFT JOIN carried c ON c.system_key = w.system_key AND c.waiver_id = w.id
