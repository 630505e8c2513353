-- table: core.found_raid
-- grain: one row is a fault of an open entry of the RAID log
-- key: code, item
-- raid_incomplete: what its type needs and it lacks. Impact is in days and in units; zero is a value, nothing is not.
WITH open_items AS (
    SELECT * FROM mart.raid WHERE closed IS NULL
),
needed AS (
    SELECT
        id_key, type,
        {
            'due date': due::VARCHAR, 'probability': probability::VARCHAR, 'impact in days': impact_days::VARCHAR,
            'impact in units': impact_units::VARCHAR, 'options': options, 'decider': decider,
            'needed-by date': needed_by::VARCHAR, 'consequence': consequence, 'system': system_id, 'gate': gate,
            'approver': approver, 'expiry': expiry::VARCHAR, 'compensating action': compensating_action
        } AS given
    FROM open_items
),
asked AS (
    SELECT * FROM (VALUES
        ('risk', ['probability', 'impact in days', 'impact in units', 'due date']),
        ('issue', ['impact in days', 'impact in units', 'due date']),
        ('action', ['due date']),
        ('decision', ['options', 'decider', 'needed-by date', 'consequence', 'impact in days', 'impact in units']),
        ('change', ['impact in days', 'impact in units', 'due date']),
        ('waiver', ['system', 'gate', 'approver', 'expiry', 'compensating action'])
    ) AS t(type, fields)
),
lacking AS (
    SELECT
        n.id_key,
        list_filter(a.fields, lambda f: nullif(trim(json_extract_string(to_json(n.given), '$."' || f || '"')), '')
            IS NULL) AS fields
    FROM needed n JOIN asked a ON a.type = n.type
),
said AS (
    SELECT
        'raid_incomplete' AS code, o.*,
        o.type || ' ' || o.id || ' has no ' || list_aggregate(l.fields, 'string_agg', ', no ') AS message
    FROM open_items o JOIN lacking l ON l.id_key = o.id_key AND len(l.fields) > 0
    UNION ALL
    SELECT
        'owner_not_a_person', o.*,
        'the owner of ' || o.type || ' ' || o.id || ' is ' || o.owner_fault || ': ' || coalesce(o.owner, '(empty)')
            || '; expected the name of one person'
    FROM open_items o WHERE o.owner_fault IS NOT NULL
    UNION ALL
    SELECT
        'missing_from_log', o.*,
        o.type || ' ' || o.id || ' is missing from the log since ' || o.missing_since || ' and was not closed; last in '
            || coalesce(o.file || ', row ' || o."row", 'an earlier log')
    FROM open_items o WHERE o.missing_since IS NOT NULL
    UNION ALL
    SELECT
        'entry_refused', o.*,
        o.type || ' ' || o.id || ' stands in the log and its row was refused, so it counts as told before ('
            || o.refused || ')'
    FROM open_items o WHERE o.refused IS NOT NULL
)
SELECT
    s.code, 'warning' AS severity, 'raid' AS dataset, s.system_key, s.id AS subject, s.id_key AS item,
    r._ingest, r._row, r._sheet, s.message
FROM said s
JOIN core.raid_items r ON r.id_key = s.id_key
