-- table: core.device_sessions
-- grain: one row is a routing session of a device as last observed before the cut-off
-- key: device_key, peer_key
SELECT
    n.device_key,
    n.peer_key,
    n.device,
    n.peer,
    n.state,
    n.kind,
    n.system_id_key AS system_key,
    n.observed_at,
    n.observed_at >= p.cut_off - to_hours(p.service_hours::BIGINT) AS fresh,
    n._ingest,
    n._row,
    n._sheet
FROM stg.sessions n
CROSS JOIN core.settings p
WHERE n.observed_at <= p.cut_off
QUALIFY row_number() OVER (
    PARTITION BY n.device_key, n.peer_key ORDER BY n.observed_at DESC, n._ingest, n._sheet, n._row
) = 1
