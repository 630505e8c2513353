-- table: mart.playbook_criteria
-- grain: one row is a criterion of a gate of a playbook in force this week
-- key: playbook, gate, criterion
-- rule is all that decides how it is judged, in words: two weeks with one rule judge alike.
SELECT
    b.playbook,
    b.version,
    b.kind,
    g.gate_no,
    g.gate,
    g.title AS gate_title,
    g.stage,
    c.criterion_no,
    c.criterion,
    c.purpose,
    c.title,
    c.metric,
    c.severity,
    c.owner_role,
    c.standing,
    c.evidence_age_days,
    CASE WHEN c.waiver_by IS NULL THEN 'whoever is named'
         WHEN len(c.waiver_by) = 0 THEN 'nobody'
         ELSE array_to_string(c.waiver_by, ' or ') || ', ' || c.waiver_days || ' days at most' END AS may_waive,
    concat_ws('; ',
        c.metric || ' ' || c.comparison || ' ' || coalesce(figure(c.threshold), 'planned') || ' by ' || c.scope,
        CASE WHEN c.min_share < 1 THEN 'for ' || figure(100 * c.min_share) || ' % of units' END,
        CASE WHEN c.evidence_age_days IS NOT NULL THEN 'evidence of ' || c.evidence_age_days || ' days at most' END,
        CASE WHEN c.standing THEN 'standing' END,
        CASE WHEN c.purpose = 'entry' THEN 'to enter' END,
        'where needed: ' || c.needs,
        c.severity,
        'closes ' || g.stage,
        CASE WHEN c.criterion_no = 1 THEN 'gate after ' || before.gate END,
        array_to_string(c.supply_models, ' or '),
        'waived by ' || may_waive
    ) AS rule
FROM core.criteria c
JOIN core.gates g ON g.playbook = c.playbook AND g.gate = c.gate
JOIN core.playbooks b ON b.playbook = c.playbook
LEFT JOIN core.gates before ON before.playbook = c.playbook AND before.gate_no = g.gate_no - 1
