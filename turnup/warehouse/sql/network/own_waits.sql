-- table: core.own_waits
-- grain: one row is a thing that an open gate of a block waits for, other than another system
-- key: system_key, block_key, gate_no, kind, item
-- Circuits at the gate that their next step is for, as long as that gate has an unmet criterion of its own (in systems
-- that are no circuits, one on circuits or their letters); power, cooling and racks of a site; else the criterion.
-- place: the order in which things at one gate are named. told: the day that somebody promised.
WITH unmet AS (
    SELECT c.*, b.block_key,
        CASE c.severity WHEN 'critical' THEN 1 WHEN 'high' THEN 2 WHEN 'medium' THEN 3 ELSE 4 END AS severity_no
    FROM core.own_criteria c
    JOIN core.block_sizes b ON b.system_key = c.system_key AND b.block = c.block
    WHERE c.state NOT IN ('met', 'waived')
),
steps AS (
    SELECT
        n.system_id_key AS system_key, n.circuit_key, n.circuit, n.firm_date, n.expected, n.provider,
        CASE WHEN replace(lower(n.type), '_', '-') IN ('cross-connect', 'xconnect', 'cross connect', 'xc')
            THEN 'cross-connect'
            WHEN n.type IS NULL THEN 'circuit' ELSE replace(lower(trim(n.type)), '_', ' ') END
            || ' ' || n.circuit AS name,
        CASE
            WHEN n.provider_active OR n.tested <= n.as_of THEN
                CASE WHEN n.is_tested THEN 'schedulable' ELSE 'accepted' END
            WHEN n.loa_cfa_issued <= n.as_of AND coalesce(n.loa_cfa_expiry >= n.as_of, true) THEN 'installed'
            WHEN n.loa_cfa_issued <= n.as_of THEN 'expired'
            WHEN n.ordered <= n.as_of THEN 'letter'
            ELSE 'ordered'
        END AS step
    FROM core.circuit_now n
    WHERE NOT n.serves
),
circuits AS (
    SELECT
        s.*, g.gate_no,
        CASE s.step
            WHEN 'ordered' THEN 'order of '
            WHEN 'letter' THEN 'LOA-CFA of '
            WHEN 'expired' THEN 'new LOA-CFA of '
            WHEN 'installed' THEN 'delivery of '
            WHEN 'accepted' THEN 'test of '
            ELSE 'turn-up of '
        END || s.name AS what
    FROM steps s
    JOIN core.systems y ON y.system_key = s.system_key
    JOIN core.gates g
        ON g.playbook = y.playbook AND list_contains(g.supply_models, y.supply_model)
        AND g.stage = CASE WHEN s.step IN ('letter', 'expired') THEN 'installed' ELSE s.step END
)
SELECT
    u.system_key, u.block_key, u.gate_no, 'circuit' AS kind, c.circuit_key AS item, any_value(c.what) AS what,
    any_value(c.provider) AS told_by, any_value(coalesce(c.expected, c.firm_date)) AS told,
    any_value(u.owner_role) AS owner_role, 0 AS place
FROM unmet u
JOIN core.systems s ON s.system_key = u.system_key
JOIN circuits c ON c.system_key = u.system_key AND c.gate_no = u.gate_no
WHERE s.unit_source = 'circuit' OR regexp_matches(u.metric, 'circuit|cross|loa')
GROUP BY u.system_key, u.block_key, u.gate_no, c.circuit_key
UNION ALL
SELECT
    u.system_key, u.block_key, u.gate_no, 'site', coalesce(s.site_key, '') || ' ' || u.metric,
    CASE u.metric WHEN 'site_power_ready' THEN 'power' WHEN 'site_cooling_ready' THEN 'cooling' ELSE 'racks' END
        || ' of site ' || coalesce(s.site_id, '(unknown)'),
    NULL, NULL, any_value(u.owner_role), min(u.severity_no * 1000 + u.criterion_no)
FROM unmet u
JOIN core.systems s ON s.system_key = u.system_key
WHERE u.metric IN ('site_power_ready', 'site_cooling_ready', 'site_racks_ready')
GROUP BY ALL
UNION ALL
SELECT
    u.system_key, u.block_key, u.gate_no, 'criterion', u.gate || ' ' || u.criterion,
    CASE WHEN regexp_matches(u.title, '^[A-Z][a-z ]') THEN lower(u.title[1]) || u.title[2:] ELSE u.title END
        || CASE u.state WHEN 'no data' THEN ' (no data)' WHEN 'stale' THEN ' (stale)' ELSE '' END,
    NULL, NULL, u.owner_role, u.severity_no * 1000 + u.criterion_no
FROM unmet u
WHERE u.metric NOT IN ('site_power_ready', 'site_cooling_ready', 'site_racks_ready')
