-- table: core.hall_supply
-- grain: one row is what a phase of a hall offers of power (energised kW), cooling (kW) or racks
-- key: site_key, hall_key, phase_key, resource
-- now: offered on the data date, 0 where the phase is not ready, null where nobody says how much; power counts as it is
-- energised. later: offered from day on, the planned day of a phase that is not ready; none where it is not dated.
WITH phases AS (
    SELECT
        f.site_id_key AS site_key, f.site_id, lower(trim(f.hall)) AS hall_key, f.hall, lower(trim(f.phase)) AS phase_key,
        f.phase, coalesce(f.actual_ready <= p.as_of, false) AS ready, f.planned_ready,
        f.kw_energised, f.kw_contracted, f.racks,
        CASE WHEN f.air_kw IS NULL AND f.liquid_kw IS NULL THEN NULL
            ELSE coalesce(f.air_kw, 0) + coalesce(f.liquid_kw, 0) END AS cooling,
        p.as_of, f._ingest, f._row, f._sheet
    FROM stg.facility_capacity f
    CROSS JOIN core.settings p
    QUALIFY row_number() OVER (PARTITION BY f.site_id_key, lower(trim(f.hall)), lower(trim(f.phase))
        ORDER BY f._ingest, f._sheet, f._row) = 1
)
SELECT
    f.site_key, f.site_id, f.hall_key, f.hall, f.phase_key, f.phase, r.resource, f.ready,
    CASE WHEN NOT f.ready THEN f.planned_ready END AS day,
    NOT f.ready AND f.planned_ready < f.as_of AS overdue,
    CASE r.resource
        WHEN 'power' THEN CASE WHEN f.ready THEN f.kw_energised ELSE coalesce(f.kw_energised, 0) END
        WHEN 'cooling' THEN CASE WHEN f.ready THEN f.cooling ELSE 0 END
        ELSE CASE WHEN f.ready THEN f.racks ELSE 0 END
    END::DECIMAL(18, 3) AS now,
    CASE r.resource
        WHEN 'power' THEN CASE WHEN f.ready THEN f.kw_energised
            ELSE greatest(f.kw_contracted, f.kw_energised) END
        WHEN 'cooling' THEN f.cooling
        ELSE f.racks
    END::DECIMAL(18, 3) AS later,
    f._ingest, f._row, f._sheet
FROM phases f
CROSS JOIN (SELECT unnest(['power', 'cooling', 'racks']) AS resource) r
