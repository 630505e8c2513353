-- table: core.node_versions
-- grain: one row is the present version of a component on a node, since when, and what was there before
-- key: name_key, component_key
WITH seen AS (
    SELECT
        v.node_key AS name_key, lower(trim(v.component)) AS component_key, v.component, trim(v.version) AS version,
        v.observed_at, v._ingest, v._row, v._sheet
    FROM stg.versions v CROSS JOIN core.settings p
    WHERE v.observed_at <= p.cut_off
),
compared AS (
    SELECT *, lag(version) OVER earlier AS version_before
    FROM seen
    WINDOW earlier AS (PARTITION BY name_key, component_key ORDER BY observed_at, _ingest, _row, _sheet)
),
changes AS (
    SELECT name_key, component_key, max(observed_at) AS changed_at,
        arg_max(version_before, (observed_at, _ingest, _row)) AS version_before
    FROM compared WHERE version_before <> version GROUP BY ALL
)
SELECT s.*, c.changed_at, c.version_before
FROM seen s
LEFT JOIN changes c ON c.name_key = s.name_key AND c.component_key = s.component_key
QUALIFY row_number() OVER (
    PARTITION BY s.name_key, s.component_key ORDER BY s.observed_at DESC, s._ingest, s._row, s._sheet) = 1
