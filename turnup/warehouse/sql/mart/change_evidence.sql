-- table: mart.change_evidence
-- grain: one row is a unit, a contract line or a correction behind a part of a system's change of schedulable capacity
-- key: kind, system_key, component, row_no
-- The rows of a system and component add up to mart.change_rows. What units brought over the commitment is taken off
-- flow first; what went while there was an excess is made up for by it. A week before that kept no units gives one row
-- for all of them.
WITH units AS (
    SELECT
        u.*,
        u.delta - u.transferred AS own,
        CASE WHEN u.is_definition THEN 'definition' WHEN u.delta > u.transferred THEN 'flow_in' ELSE 'withdrawn' END
            AS component
    FROM core.unit_changes u
),
sums AS (
    SELECT
        s.kind, s.system_key, s.has_units, s.is_redefined, s.redefinition,
        coalesce(sum(u.own) FILTER (u.component = 'flow_in'), 0) AS came,
        coalesce(-sum(u.own) FILTER (u.component = 'withdrawn'), 0) AS went,
        coalesce(sum(u.own) FILTER (u.component = 'definition'), 0) AS defined,
        s.moved - coalesce(sum(u.delta), 0) AS rest
    FROM core.change_systems s
    LEFT JOIN units u ON u.system_key = s.system_key AND u.kind = s.kind
    GROUP BY s.kind, s.system_key, s.has_units, s.is_redefined, s.redefinition, s.moved
),
first_share AS (
    SELECT *, CASE WHEN rest < 0 THEN -least(came, -rest) ELSE least(went, rest) END AS one FROM sums WHERE has_units
),
second_share AS (
    SELECT *, CASE WHEN rest < 0 THEN -least(greatest(defined, 0), one - rest)
        ELSE least(greatest(-defined, 0), rest - one) END AS two
    FROM first_share
),
caps AS (
    SELECT kind, system_key, CASE WHEN rest < 0 THEN 'flow_in' ELSE 'withdrawn' END AS component, one AS quantity, rest
    FROM second_share
    UNION ALL
    SELECT kind, system_key, 'definition', two, rest FROM second_share
    UNION ALL
    SELECT kind, system_key, CASE WHEN rest < 0 THEN 'withdrawn' ELSE 'flow_in' END, rest - one - two, rest
    FROM second_share
),
issued AS (
    SELECT h.* FROM issued_systems h JOIN core.settings p ON h.week = p.previous_week
),
restated_before AS (
    SELECT h.* FROM past_systems h JOIN core.settings p ON h.week = p.previous_week
),
why AS (
    SELECT r.week, any_value(r.name) AS name,
        string_agg(r.change || ' ' || r.what, ', ' ORDER BY r.change, r.what) AS files
    FROM restated_by r GROUP BY r.week
),
restated AS (
    SELECT
        coalesce(i.kind, n.kind) AS kind, coalesce(i.system_key, n.system_key) AS system_key,
        coalesce(n.schedulable, 0) - coalesce(i.schedulable, 0) AS quantity
    FROM issued i
    FULL JOIN restated_before n ON n.system_key = i.system_key AND n.kind = i.kind
),
restated_units AS (
    SELECT
        r.kind, r.system_key, coalesce(n.unit_key, i.unit_key) AS unit_key, coalesce(n.unit_id, i.unit_id) AS unit_id,
        coalesce(n.capacity, 0) - coalesce(i.capacity, 0) AS quantity,
        coalesce(n.held_at, i.held_at) AS stage, n.note, coalesce(n.dataset, i.dataset) AS dataset,
        coalesce(n.file, i.file) AS file, coalesce(n.sheet, i.sheet) AS sheet, coalesce(n."row", i."row") AS "row"
    FROM (SELECT h.* FROM past_unit_states h JOIN core.settings p ON h.week = p.previous_week) n
    FULL JOIN (SELECT h.* FROM issued_unit_states h JOIN core.settings p ON h.week = p.previous_week) i
        ON i.system_key = n.system_key AND i.unit_key = n.unit_key
    JOIN restated r ON r.system_key = coalesce(n.system_key, i.system_key) AND r.kind = coalesce(n.kind, i.kind)
    WHERE coalesce(n.capacity, 0) <> coalesce(i.capacity, 0)
      AND EXISTS (SELECT 1 FROM issued_unit_states h JOIN core.settings p ON h.week = p.previous_week)
),
restated_rest AS (
    SELECT r.kind, r.system_key, r.quantity - coalesce(sum(u.quantity), 0) AS quantity
    FROM restated r
    LEFT JOIN restated_units u ON u.system_key = r.system_key AND u.kind = r.kind
    GROUP BY r.kind, r.system_key, r.quantity
),
decided AS (
    SELECT from_key, to_key, string_agg(words, ', ' ORDER BY words) AS decisions
    FROM (
        SELECT DISTINCT from_key, to_key,
            coalesce('decision ' || decision || ' (' || decision_state || ')', 'no decision names the move') AS words
        FROM core.capacity_moves
    )
    GROUP BY ALL
),
rows AS (
    SELECT
        u.kind, u.system_key, u.component, u.unit_key, u.unit_id, u.own AS quantity,
        CASE WHEN u.component = 'definition' THEN 'the definition changed' ELSE u.cause END AS cause,
        CASE WHEN u.component = 'withdrawn' THEN coalesce(u.loss, 'withdrawal') END AS loss, u.stage,
        concat_ws('; ', CASE WHEN u.component = 'definition' THEN s.redefinition END, u.note) AS note,
        u.dataset, u.file, u.sheet, u."row"
    FROM units u
    JOIN core.change_systems s ON s.system_key = u.system_key AND s.kind = u.kind
    WHERE u.own <> 0
    UNION ALL
    SELECT
        u.kind, u.system_key, 'transfer', u.unit_key, u.unit_id, u.transferred,
        CASE WHEN u.transferred < 0 THEN 'moved to ' ELSE 'moved from ' END || u.other_system, NULL, u.stage,
        concat_ws('; ', u.note, d.decisions), u.dataset, u.file, u.sheet, u."row"
    FROM units u
    LEFT JOIN decided d
        ON d.from_key = CASE WHEN u.transferred < 0 THEN u.system_key ELSE u.other_key END
        AND d.to_key = CASE WHEN u.transferred < 0 THEN u.other_key ELSE u.system_key END
    WHERE u.transferred <> 0
    UNION ALL
    SELECT
        kind, system_key, component, NULL, NULL, quantity,
        CASE WHEN rest < 0 THEN 'over the commitment, not counted' ELSE 'was over the commitment, counts now' END,
        NULL, NULL, NULL, 'funnel', NULL, NULL, NULL
    FROM caps WHERE quantity <> 0
    UNION ALL
    SELECT
        kind, system_key,
        CASE WHEN is_redefined THEN 'definition' WHEN rest > 0 THEN 'flow_in' ELSE 'withdrawn' END, NULL, NULL, rest,
        CASE WHEN is_redefined THEN 'the playbook changed' WHEN rest > 0 THEN 'became schedulable'
            ELSE 'no longer schedulable' END,
        NULL, NULL, concat_ws('; ', nullif(redefinition, ''), 'the week before kept no units'), 'funnel', NULL, NULL,
        NULL
    FROM sums WHERE NOT has_units AND rest <> 0
    UNION ALL
    SELECT
        l.kind, l.system_key, 'scope', NULL, concat_ws('/', l.contract, l.line, l.phase), l.quantity,
        CASE WHEN s.is_new THEN 'system joined the programme' ELSE 'commitment changed' END, NULL, NULL, l.cause,
        'commitments', i.file, l._sheet, l._row
    FROM core.line_changes l
    JOIN core.change_systems s ON s.system_key = l.system_key AND s.kind = l.kind
    LEFT JOIN meta.ingests i ON i._ingest = l._ingest
    UNION ALL
    SELECT
        s.kind, s.system_key, 'scope', NULL, NULL, s.scope - coalesce(l.quantity, 0),
        CASE WHEN s.is_gone THEN 'system left the programme' WHEN s.is_new THEN 'system joined the programme'
            ELSE 'commitment changed' END, NULL, NULL, NULL, 'commitments', NULL, NULL, NULL
    FROM core.change_systems s
    LEFT JOIN (SELECT kind, system_key, sum(quantity) AS quantity FROM core.line_changes GROUP BY ALL) l
        ON l.system_key = s.system_key AND l.kind = s.kind
    WHERE s.scope <> coalesce(l.quantity, 0)
    UNION ALL
    SELECT
        u.kind, u.system_key, 'restated', u.unit_key, u.unit_id, u.quantity, 'the week before was restated', NULL,
        u.stage, concat_ws('; ', w.name || ': ' || w.files, u.note), u.dataset, u.file, u.sheet, u."row"
    FROM restated_units u CROSS JOIN core.settings p LEFT JOIN why w ON w.week = p.previous_week
    UNION ALL
    SELECT
        u.kind, u.system_key, 'restated', NULL, NULL, u.quantity, 'the week before was restated', NULL, NULL,
        w.name || ': ' || w.files, 'funnel', NULL, NULL, NULL
    FROM restated_rest u CROSS JOIN core.settings p LEFT JOIN why w ON w.week = p.previous_week
    WHERE u.quantity <> 0
)
SELECT
    r.kind,
    k.unit,
    r.system_key,
    coalesce(s.system_id, i.system_id, n.system_id) AS system_id,
    r.component,
    row_number() OVER (
        PARTITION BY r.kind, r.system_key, r.component ORDER BY r.unit_id NULLS LAST, r.unit_key, r.quantity, r.cause
    ) AS row_no,
    r.unit_key,
    r.unit_id,
    r.quantity::DECIMAL(18, 3) AS quantity,
    r.cause,
    r.loss,
    r.stage,
    nullif(r.note, '') AS note,
    r.dataset,
    r.file,
    r.sheet,
    r."row"
FROM rows r
JOIN core.kinds k ON k.kind = r.kind
LEFT JOIN core.systems s ON s.system_key = r.system_key
LEFT JOIN issued i ON i.system_key = r.system_key AND i.kind = r.kind
LEFT JOIN restated_before n ON n.system_key = r.system_key AND n.kind = r.kind
