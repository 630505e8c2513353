-- table: core.move_decisions
-- grain: one row is a name in the scope of a decision or change: a system, a block, or a unit that it moves
-- key: id_key, name_key
-- state: decided once it is closed and not refused. It covers a move when it names both systems (the one it concerns, and
-- others in its scope), or when its scope names the unit by asset, name, serial number or order line.
WITH entries AS (
    SELECT
        r.*,
        CASE
            WHEN r.closed IS NULL OR r.closed > p.as_of THEN 'open'
            WHEN regexp_matches(lower(trim(coalesce(r.outcome, ''))), '^(no\b|not |reject|refus|declin|withdrawn)')
                THEN 'refused'
            ELSE 'decided'
        END AS state
    FROM stg.raid r CROSS JOIN core.settings p
    WHERE r.type IN ('decision', 'change') AND r.opened <= p.as_of AND r.scope IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY r.id_key ORDER BY r._ingest, r._sheet, r._row) = 1
)
SELECT DISTINCT
    id_key, id, system_id_key AS system_key, state, closed AS decided_on, name AS name_key
FROM (SELECT *, trim(unnest(regexp_split_to_array(lower(scope), '\s*(?:[;,]|->|→)\s*'))) AS name FROM entries)
WHERE name <> ''
