-- table: core.eta_told
-- grain: one row is a day of arrival told of a shipment that was not the one told before
-- key: shipment_key, told_no
-- Told in a delivery of shipments (the latest day of its lines counts; without an ETA the scheduled day) or in a carrier's
-- event of an estimated delivery; what was told last stands, whoever told it. Once goods are delivered nothing is
-- estimated.
WITH points AS (
    SELECT _source, shipment_key, told_no, told_at, told_on FROM stg.shipments_told
    UNION
    SELECT _source, shipment_key, until_no, until_at, until_on FROM stg.shipments_told WHERE until_no IS NOT NULL
),
delivered AS (SELECT shipment_key, max(delivered) AS delivered FROM core.shipment_lines GROUP BY shipment_key),
filed AS (
    SELECT
        p._source, p.shipment_key, p.told_no, p.told_at, p.told_on, max(coalesce(t.eta, t.scheduled)) AS eta,
        arg_max(t._ingest, (coalesce(t.eta, t.scheduled), t._row)) AS _ingest,
        arg_max(t._row, (coalesce(t.eta, t.scheduled), t._row)) AS _row,
        arg_max(t._sheet, (coalesce(t.eta, t.scheduled), t._row)) AS _sheet
    FROM points p
    JOIN stg.shipments_told t
        ON t._source = p._source AND t.shipment_key = p.shipment_key
        AND t.told_no <= p.told_no AND (t.until_no IS NULL OR t.until_no > p.told_no)
    WHERE coalesce(t.eta, t.scheduled) IS NOT NULL AND coalesce(t.status, '') <> 'delivered'
    GROUP BY p._source, p.shipment_key, p.told_no, p.told_at, p.told_on
),
carried AS (
    SELECT
        'carrier' AS _source, e.shipment_key, coalesce(e.created_at, i.received_at) AS told_at,
        timezone(w.time_zone, timezone('UTC', coalesce(e.created_at, i.received_at)))::DATE AS told_on,
        timezone(w.time_zone, timezone('UTC', e.event_at))::DATE AS eta, e.event_id,
        e._ingest, e._row, e._sheet
    FROM core.tracking_events e
    CROSS JOIN core.settings p
    CROSS JOIN meta.week w
    LEFT JOIN (SELECT _ingest, min(received_at) AS received_at FROM meta.ingests GROUP BY ALL) i ON i._ingest = e._ingest
    WHERE e.classifier = 'estimated' AND e.left_out IS NULL
        AND (e.state = 'delivered' OR lower(trim(e.type)) = 'estimated delivery')
        AND coalesce(e.created_at, i.received_at) <= p.cut_off
),
every_word AS (
    SELECT _source, shipment_key, told_at, told_on, eta, 'shipments' AS dataset, lpad(told_no::VARCHAR, 9, '0') AS turn,
        _ingest, _row, _sheet FROM filed
    UNION ALL
    SELECT _source, shipment_key, told_at, told_on, eta, 'logistics_events', event_id, _ingest, _row, _sheet FROM carried
),
once AS (SELECT shipment_key FROM every_word GROUP BY ALL HAVING count(*) = 1),
of_teller AS (
    SELECT * FROM every_word ANTI JOIN once USING (shipment_key)
    QUALIFY eta IS DISTINCT FROM lag(eta) OVER (PARTITION BY shipment_key, _source ORDER BY told_at, turn)
),
news AS (
    SELECT *, lag(eta) OVER (PARTITION BY shipment_key ORDER BY told_at, dataset DESC, _source, turn) AS eta_before
    FROM of_teller
    QUALIFY eta IS DISTINCT FROM lag(eta) OVER (PARTITION BY shipment_key ORDER BY told_at, dataset DESC, _source, turn)
),
numbered AS (
    SELECT
        n.*,
        row_number() OVER (PARTITION BY n.shipment_key ORDER BY n.told_at, n.dataset DESC, n._source, n.turn) AS told_no
    FROM news n
    LEFT JOIN delivered d ON d.shipment_key = n.shipment_key
    WHERE d.delivered IS NULL OR n.told_on <= d.delivered
    UNION ALL
    SELECT w.*, NULL, 1
    FROM every_word w
    SEMI JOIN once ON once.shipment_key = w.shipment_key
    LEFT JOIN delivered d ON d.shipment_key = w.shipment_key
    WHERE w.eta IS NOT NULL AND (d.delivered IS NULL OR w.told_on <= d.delivered)
)
SELECT
    shipment_key,
    told_no::INTEGER AS told_no,
    told_at,
    told_on,
    eta,
    eta_before,
    (eta - eta_before)::INTEGER AS slip_days,
    dataset,
    _ingest,
    _row,
    _sheet
FROM numbered
