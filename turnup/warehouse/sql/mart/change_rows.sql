-- table: mart.change_rows
-- grain: one row is a part of a system's change of schedulable capacity since the week before, as issued
-- key: kind, system_id, component
-- The rows behind each part are in mart.change_evidence. In the first week there is nothing to compare with.
WITH parts AS (
    SELECT kind, any_value(unit) AS unit, system_id, component, sum(quantity) AS quantity,
        string_agg(DISTINCT cause, '; ' ORDER BY cause) AS cause, count(unit_key) AS units,
        count(*) FILTER (component = 'scope' AND unit_id IS NOT NULL) AS lines,
        string_agg(DISTINCT note, '; ' ORDER BY note) FILTER (component IN ('scope', 'restated')) AS note
    FROM mart.change_evidence GROUP BY kind, system_id, component
),
losses AS (
    SELECT kind, system_id, string_agg(loss || ' ' || figure(quantity), ', ' ORDER BY loss) AS split
    FROM (
        SELECT kind, system_id, loss, -sum(quantity) AS quantity
        FROM mart.change_evidence WHERE component = 'withdrawn' AND loss IS NOT NULL GROUP BY ALL
    )
    GROUP BY ALL
)
SELECT
    p.kind,
    p.unit,
    p.system_id,
    p.component,
    p.quantity::DECIMAL(18, 3) AS quantity,
    p.cause || CASE WHEN p.component = 'withdrawn' AND l.split IS NOT NULL THEN ' (' || l.split || ')' ELSE '' END
        AS cause,
    CASE
        WHEN p.units > 0 THEN p.units || CASE p.units WHEN 1 THEN ' unit' ELSE ' units' END || ' of ' || p.system_id
        WHEN p.lines > 0 THEN p.lines || CASE p.lines WHEN 1 THEN ' line' ELSE ' lines' END || ' of ' || p.system_id
        ELSE 'schedulable of ' || p.system_id
    END AS evidence,
    p.note
FROM parts p
LEFT JOIN losses l ON l.kind = p.kind AND l.system_id = p.system_id
