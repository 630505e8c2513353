-- table: mart.dependency_edges
-- grain: one row is what a system needs from another one, from a circuit, or from its site
-- key: from_node, to_node, type, gate, asked_gate
-- state: the worst over the blocks of the system. on_date: when what is open is there, as forecast or promised.
WITH needed AS (
    SELECT
        o.system_key, o.needed_key, o.gate, o.asked_gate, count(f.p80) = count(*) AS dated, max(f.p80) AS p80
    FROM core.open_needs o
    LEFT JOIN core.block_sizes b ON b.system_key = o.needed_key AND b.block_key = o.needed_block
    LEFT JOIN core.gate_forecasts f ON f.system_key = o.needed_key AND f.block = b.block AND f.gate_no = o.gate_no
    GROUP BY ALL
),
stood AS (
    SELECT system_key, gate, criterion, arg_min(state, CASE state WHEN 'no data' THEN 1 WHEN 'not met' THEN 2
        WHEN 'waived' THEN 3 ELSE 4 END) AS state, arg_min(message, (state = 'met', block)) AS message
    FROM core.need_criteria GROUP BY ALL
),
sited AS (
    SELECT c.system_key, c.gate, c.metric, s.site_key, s.site_id, s.system_id,
        arg_min(c.state, CASE c.state WHEN 'no data' THEN 1 WHEN 'stale' THEN 2 WHEN 'not met' THEN 3
            WHEN 'waived' THEN 4 ELSE 5 END) AS state,
        arg_min(c.message, (c.state = 'met', c.block)) AS message
    FROM core.own_criteria c
    JOIN core.systems s ON s.system_key = c.system_key
    WHERE c.metric IN ('site_power_ready', 'site_cooling_ready', 'site_racks_ready') AND s.site_key IS NOT NULL
    GROUP BY ALL
)
SELECT
    'system/' || n.system_key AS from_node, 'system/' || n.needed_key AS to_node, n.types AS type, n.gate, n.asked_gate,
    n.system_id AS from_name, n.needed_id AS to_name, c.state, CASE WHEN d.dated THEN d.p80 END AS on_date, c.message
FROM core.needs n
JOIN stood c
    ON c.system_key = n.system_key AND c.gate = n.asked_gate
    AND c.criterion = 'needs:' || n.needed_key || ':' || n.gate
LEFT JOIN needed d
    ON d.system_key = n.system_key AND d.needed_key = n.needed_key AND d.gate = n.gate AND d.asked_gate = n.asked_gate
UNION ALL
SELECT
    'system/' || c.system_id_key, 'circuit/' || c.circuit_key, coalesce(lower(trim(c.type)), 'circuit'), '', '',
    s.system_id, c.circuit, CASE WHEN c.serves THEN 'met' ELSE 'not met' END,
    CASE WHEN NOT c.serves THEN coalesce(c.expected, c.firm_date) END,
    coalesce(w.what, CASE WHEN c.serves THEN 'in service' ELSE 'not in service' END)
FROM core.circuit_now c
JOIN core.systems s ON s.system_key = c.system_id_key
LEFT JOIN (SELECT system_key, item, min(what) AS what FROM core.own_waits WHERE kind = 'circuit' GROUP BY ALL) w
    ON w.system_key = c.system_id_key AND w.item = c.circuit_key
UNION ALL
SELECT
    'system/' || system_key, 'site/' || site_key, split_part(metric, '_', 2), '', gate, system_id, site_id, state, NULL,
    message
FROM sited
