-- table: core.waiver_covers
-- grain: one row is a waiver and a criterion that it names, itself or by naming its whole gate
-- key: id_key, criterion
-- last_day: the waiver's own expiry, or the longest time that the playbook allows, whichever is earlier. flaw: why it
-- does not stand for the criterion today; null when it does. Without a rule, or while nobody is named for the roles that
-- may waive, an approver is taken at his word (entitled is null).
WITH ruled AS (
    SELECT
        w.id_key, w.id, w.system_key, w.reach, w.scope, w.approver, w.expiry, w.criterion IS NULL AS whole_gate,
        c.gate, c.criterion, c.metric, c.waiver_by, c.waiver_days,
        coalesce(len(c.waiver_by) = 0, false) AS never,
        CASE WHEN EXISTS (SELECT 1 FROM core.roles r WHERE list_contains(c.waiver_by, r.role))
            THEN EXISTS (SELECT 1 FROM core.roles r WHERE list_contains(c.waiver_by, r.role)
                AND r.person_key = person_key(w.approver)) END AS entitled,
        least(w.expiry, w.opened + nullif(c.waiver_days, 0)) AS last_day
    FROM core.waiver_rows w
    JOIN core.systems s ON s.system_key = w.system_key
    JOIN core.criteria c
        ON c.playbook = s.playbook AND c.gate = w.gate AND list_contains(c.supply_models, s.supply_model)
        AND (w.criterion IS NULL OR w.criterion IN (c.criterion, c.metric))
)
SELECT
    r.*,
    CASE
        WHEN r.approver IS NULL THEN 'no approver'
        WHEN r.expiry IS NULL THEN 'no expiry'
        WHEN r.never THEN 'not waivable'
        WHEN NOT r.entitled THEN 'not entitled'
        WHEN r.last_day < p.as_of THEN 'expired'
    END AS flaw
FROM ruled r CROSS JOIN core.settings p
