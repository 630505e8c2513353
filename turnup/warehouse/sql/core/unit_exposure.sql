-- table: core.unit_exposure
-- grain: one row is a unit with the days for which it has run
-- key: system_key, unit_key
-- From the day it was powered, else the day its name became valid, to the data date. Infancy is the first 30 days.
SELECT
    u.system_key,
    u.unit_key,
    coalesce(i.powered, min(n.valid_from)) AS running_since,
    greatest(date_diff('day', running_since, p.as_of), 0) AS days,
    least(days, 30) AS infant_days
FROM core.units u
CROSS JOIN core.settings p
LEFT JOIN core.assets i ON i.asset_key = u.asset_key
LEFT JOIN core.node_assets n ON n.node_key = u.node_key AND n.cluster_key = u.cluster_key
WHERE u.dataset IN ('installs', 'node_names', 'scheduler_nodes')
GROUP BY u.system_key, u.unit_key, i.powered, p.as_of
