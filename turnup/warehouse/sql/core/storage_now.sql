-- table: core.storage_now
-- grain: one row is a storage system as last observed before the cut-off
-- key: system_key
SELECT
    t.system_id_key AS system_key,
    t.observed_at,
    t.usable,
    t.used,
    t.degraded,
    t.rebuilding,
    t.client_mounts,
    t.serving,
    t.clients_expected,
    t.observed_at >= p.cut_off - to_hours(p.service_hours::BIGINT) AS fresh,
    t._ingest,
    t._row,
    t._sheet
FROM stg.storage_state t
CROSS JOIN core.settings p
WHERE t.observed_at <= p.cut_off
QUALIFY row_number() OVER (PARTITION BY t.system_id_key ORDER BY t.observed_at DESC, t._ingest, t._sheet, t._row) = 1
