-- table: core.hall_loads
-- grain: one row is a block that needs power, cooling and racks in a hall, with the day from which it does
-- key: system_key, block_key
-- kw and racks: the block's own, else its share by planned capacity of what the system's other blocks leave; null where
-- neither is known. The shares of a system add up to its design. hall: the block's, else the system's, else the only one
-- of the site; null where none of them says. day: when the first piece was racked, else the planned day of installation,
-- the day of need, the earliest promise; without any of them it counts from the data date on.
WITH halls AS (
    SELECT site_key, min(hall_key) AS hall_key, min(hall) AS hall FROM core.hall_supply
    GROUP BY site_key HAVING count(DISTINCT hall_key) = 1
),
listed AS (
    SELECT system_id_key AS system_key, block_key, hall, design_kw, racks, install_date, need_date, _ingest, _row, _sheet
    FROM stg.blocks
    QUALIFY row_number() OVER (PARTITION BY system_id_key, block_key ORDER BY _ingest, _sheet, _row) = 1
),
racked AS (
    SELECT system_key, block_key, min(observed_at)::DATE AS racked FROM core.evidence_installed e
    JOIN core.units u USING (system_key, unit_key) WHERE e.has GROUP BY ALL
),
promised AS (
    SELECT system_key, min(coalesce(internal_commit_date, contract_date)) AS day FROM core.commitment_lines GROUP BY ALL
),
blocks AS (
    SELECT
        s.system_key, s.system_id, s.site_key, s.site_id, s.netting_order, s.supply_model,
        b.block_key, b.block, b.block_no,
        coalesce(nullif(trim(l.hall), ''), nullif(trim(s.hall), ''), h.hall) AS hall,
        l.design_kw AS own_kw, l.racks AS own_racks, s.design_kw AS system_kw, s.racks AS system_racks,
        CASE WHEN sum(b.planned) OVER of_system > 0 THEN b.planned ELSE 1 END AS weight,
        r.racked, l.install_date, l.need_date, m.day AS promised,
        l.system_key IS NOT NULL AS is_listed,
        coalesce(l._ingest, s._ingest) AS _ingest,
        CASE WHEN l._ingest IS NULL THEN s._row ELSE l._row END AS _row,
        CASE WHEN l._ingest IS NULL THEN s._sheet ELSE l._sheet END AS _sheet
    FROM core.systems s
    JOIN core.block_sizes b ON b.system_key = s.system_key
    LEFT JOIN listed l ON l.system_key = s.system_key AND l.block_key = b.block_key
    LEFT JOIN halls h ON h.site_key = s.site_key
    LEFT JOIN racked r ON r.system_key = s.system_key AND r.block_key = b.block_key
    LEFT JOIN promised m ON m.system_key = s.system_key
    WHERE s.site_key IS NOT NULL AND s.supply_model <> 'cloud' AND coalesce(s.facility <> 'cloud', true)
      AND (s.kind NOT IN ('wan_link', 'cloud_interconnect') OR s.design_kw > 0 OR l.design_kw > 0)
    WINDOW of_system AS (PARTITION BY s.system_key)
),
rests AS (
    SELECT
        *,
        CASE WHEN system_kw IS NOT NULL
            THEN greatest(0, system_kw - coalesce(sum(own_kw) OVER of_system, 0)) END AS rest_kw,
        CASE WHEN system_racks IS NOT NULL
            THEN greatest(0, system_racks - coalesce(sum(own_racks) OVER of_system, 0)) END AS rest_racks,
        sum(weight) FILTER (own_kw IS NULL) OVER of_system AS kw_weight,
        sum(weight) FILTER (own_racks IS NULL) OVER of_system AS racks_weight,
        coalesce(sum(weight) FILTER (own_kw IS NULL) OVER to_here, 0) AS kw_to,
        coalesce(sum(weight) FILTER (own_racks IS NULL) OVER to_here, 0) AS racks_to
    FROM blocks
    WINDOW of_system AS (PARTITION BY system_key), to_here AS (PARTITION BY system_key ORDER BY block_no)
)
SELECT
    system_key, system_id, site_key, site_id, lower(hall) AS hall_key, hall, supply_model, block_key, block, block_no,
    netting_order,
    coalesce(own_kw, round(rest_kw * kw_to / kw_weight, 3) - round(rest_kw * (kw_to - weight) / kw_weight, 3))
        ::DECIMAL(18, 3) AS kw,
    coalesce(own_racks, round(rest_racks * racks_to / racks_weight) - round(rest_racks * (racks_to - weight)
        / racks_weight))::DECIMAL(18, 3) AS racks,
    coalesce(racked, install_date, need_date, promised) AS day,
    CASE WHEN racked IS NOT NULL THEN 'installed' WHEN install_date IS NOT NULL THEN 'planned installation'
        WHEN need_date IS NOT NULL THEN 'day of need' WHEN promised IS NOT NULL THEN 'earliest promise'
        ELSE 'no day' END AS day_basis,
    racked IS NOT NULL AS installed,
    is_listed,
    system_kw, sum(own_kw) OVER (PARTITION BY system_key) AS own_kw, bool_and(own_kw IS NOT NULL) OVER (
        PARTITION BY system_key) AS all_own,
    _ingest, _row, _sheet
FROM rests
