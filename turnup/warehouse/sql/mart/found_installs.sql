-- table: core.found_installs
-- grain: one row is a fault of installation: a wrong place, a loan kept, a replacement that cannot be, capacity moved
-- key: code, item
-- More faults of one kind in one system than the programme wants listed are one row; so are moves of one pair of systems.
WITH overdue AS (
    SELECT a.asset_key, coalesce(a.name, a.serial, a.asset_id) AS device, a.owner, a.return_due, a.system_id_key, a._ingest,
        a._row, a._sheet
    FROM core.assets a CROSS JOIN core.settings p
    WHERE a.located AND a.purpose = 'loan' AND a.return_due < p.as_of AND a.status <> 'decommissioning'
),
faults AS (
    SELECT
        'position_differs' AS code, 'installs' AS dataset, d.system_key, coalesce(d.system_id, '(no system)') AS fold,
        d.device AS subject, d.asset_key AS item, d._ingest, d._row, d._sheet, 1 AS size,
        d.device || ' is planned in ' || concat_ws(' ', d.planned_rack, d.planned_position) || ' and stands in '
            || concat_ws(' ', d.rack, d.position) AS message
    FROM core.device_positions d WHERE d.state IN ('other rack', 'other position')
    UNION ALL
    SELECT
        'loan_overdue', 'installs', o.system_id_key, coalesce(s.system_id, '(no system)'), o.device, o.asset_key, o._ingest,
        o._row, o._sheet, p.as_of - o.return_due,
        o.device || ' is on loan' || coalesce(' from ' || o.owner, '') || ' and was to go back on ' || o.return_due || ', '
            || (p.as_of - o.return_due) || ' days ago'
    FROM overdue o CROSS JOIN core.settings p LEFT JOIN core.systems s ON s.system_key = o.system_id_key
    UNION ALL
    SELECT
        'replacement_conflict', 'failures', min(w.system_key), 'replacements', min(w.serial), 'old ' || w.serial_key,
        min(w._ingest), arg_min_null(w._row, (w._ingest, w._row)), arg_min_null(w._sheet, (w._ingest, w._row)), count(*),
        min(w.serial) || ' is said to be replaced by several: '
            || string_agg(w.replaced_serial, ', ' ORDER BY w.replaced_serial)
    FROM core.rma_swaps w WHERE w.old_replaced_twice GROUP BY w.serial_key
    UNION ALL
    SELECT
        'replacement_conflict', 'failures', min(w.system_key), 'replacements', min(w.replaced_serial),
        'new ' || w.replaced_serial_key, min(w._ingest), arg_min_null(w._row, (w._ingest, w._row)),
        arg_min_null(w._sheet, (w._ingest, w._row)), count(*),
        min(w.replaced_serial) || ' is said to replace several: ' || string_agg(w.serial, ', ' ORDER BY w.serial)
    FROM core.rma_swaps w WHERE w.new_used_twice GROUP BY w.replaced_serial_key
    UNION ALL
    SELECT
        'replacement_loop', 'failures', w.system_key, 'replacements', w.serial, w.serial_key || '/' || w.replaced_serial_key,
        w._ingest, w._row, w._sheet, 1,
        CASE WHEN w.back_by IS NULL THEN w.failure_id || ' replaced ' || w.serial || ' by ' || w.replaced_serial
                || ', in a circle of replacements'
            ELSE w.serial || ' and ' || w.replaced_serial || ' are each said to replace the other (' || w.failure_id || ', '
                || w.back_by || ')' END
    FROM core.rma_swaps w WHERE w.is_loop AND (w.back_by IS NULL OR w.serial_key < w.replaced_serial_key)
    UNION ALL
    SELECT
        'move_without_decision', m.dataset, m.to_key, m.from_system || ' to ' || m.to_system, m.subject,
        m.item || '/' || m.from_key || '/' || m.to_key, m._ingest, m._row, m._sheet, greatest(m.quantity_out, m.quantity_in),
        m.subject || ' (' || figure(greatest(m.quantity_out, m.quantity_in)) || ' ' || m.to_unit || ') moved from '
            || m.from_system || ' to ' || m.to_system || ' by ' || m.moved_on || CASE m.decision_state
                WHEN 'open' THEN '; ' || m.decision || ' is not decided'
                WHEN 'refused' THEN '; ' || m.decision || ' was refused'
                ELSE '; no decision covers it' END
    FROM core.capacity_moves m WHERE m.decision_state <> 'decided'
    UNION ALL
    SELECT
        'move_does_not_net', m.dataset, m.to_key, m.from_system || ' to ' || m.to_system, m.subject,
        m.item || '/' || m.from_key || '/' || m.to_key, m._ingest, m._row, m._sheet, abs(m.quantity_out - m.quantity_in),
        m.subject || ' left ' || m.from_system || ' with ' || figure(m.quantity_out) || ' ' || m.from_unit
            || ' and arrived in ' || m.to_system || ' with ' || figure(m.quantity_in) || ' ' || m.to_unit
    FROM core.capacity_moves m WHERE NOT m.nets
),
counted AS (SELECT *, count(*) OVER (PARTITION BY code, fold) AS of_fold FROM faults)
SELECT
    c.code, CASE WHEN c.code IN ('replacement_loop', 'move_does_not_net') THEN 'error' ELSE 'warning' END AS severity,
    c.dataset, c.system_key, c.subject, c.item, c._ingest, c._row, c._sheet, c.message
FROM counted c CROSS JOIN core.settings p
WHERE c.of_fold <= p.late_listed
UNION ALL
SELECT
    c.code, CASE WHEN c.code IN ('replacement_loop', 'move_does_not_net') THEN 'error' ELSE 'warning' END,
    min(c.dataset), min(c.system_key), c.fold, 'all ' || c.fold, NULL, NULL, NULL,
    c.fold || ': ' || count(*) || ' cases of ' || replace(c.code, '_', ' ') || ', for example '
        || arg_max(c.message, (c.size, c.item))
FROM counted c CROSS JOIN core.settings p
WHERE c.of_fold > p.late_listed
GROUP BY c.code, c.fold
