-- table: core.install_steps
-- grain: one row is a step of installation that a device has behind it
-- key: asset_key, step
SELECT
    d.asset_key,
    u.step,
    u.step_no,
    u.done_on,
    d.device,
    d.system_key,
    d.system_id,
    d.block_key,
    d.site_id,
    d.crew,
    d.purpose,
    d._ingest,
    d._row,
    d._sheet
FROM core.devices d
CROSS JOIN LATERAL (
    SELECT unnest(['staged', 'racked', 'cabled', 'powered', 'provisioned']) AS step, unnest([1, 2, 3, 4, 5]) AS step_no,
        unnest([d.staged, d.racked, d.cabled, d.powered, d.provisioned]) AS done_on
) u
WHERE u.done_on IS NOT NULL
