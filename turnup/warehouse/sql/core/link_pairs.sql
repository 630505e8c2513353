-- table: core.link_pairs
-- grain: one row is a cable between two ports, whichever end is named first
-- key: low_end, high_end
WITH pairs AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY low_end, high_end, "view" ORDER BY observed_at DESC NULLS LAST, _ingest, _sheet, _row
        ) AS newest
    FROM core.link_ends
)
SELECT
    coalesce(plan.low_end, seen.low_end) AS low_end,
    coalesce(plan.high_end, seen.high_end) AS high_end,
    coalesce(plan.a_device_key, seen.a_device_key) AS a_device_key,
    coalesce(plan.b_device_key, seen.b_device_key) AS b_device_key,
    coalesce(plan.a_device || ':' || plan.a_port || ' - ' || plan.b_device || ':' || plan.b_port,
             seen.a_device || ':' || seen.a_port || ' - ' || seen.b_device || ':' || seen.b_port) AS link_id,
    coalesce(plan.system_id_key, seen.system_id_key) AS system_key,
    plan.low_end IS NOT NULL AS planned,
    seen.low_end IS NOT NULL AS observed,
    plan.state AS planned_state,
    seen.state AS observed_state,
    lower(trim(coalesce(seen.status_claimed, plan.status_claimed))) AS claimed_state,
    plan.speed_gbps AS planned_gbps,
    seen.speed_gbps AS observed_gbps,
    seen.observed_at,
    coalesce(seen.state = 'up' AND (plan.speed_gbps IS NULL OR seen.speed_gbps >= plan.speed_gbps), false) AS up,
    coalesce(seen._ingest, plan._ingest) AS _ingest,
    coalesce(seen._row, plan._row) AS _row,
    coalesce(seen._sheet, plan._sheet) AS _sheet
FROM (SELECT * FROM pairs WHERE "view" = 'planned' AND newest = 1) plan
FULL JOIN (SELECT * FROM pairs WHERE "view" = 'observed' AND newest = 1) seen
    ON seen.low_end = plan.low_end AND seen.high_end = plan.high_end
