-- table: core.capacity_moves
-- grain: one row is capacity that moved from one system to another, as pieces or as a share of an order
-- key: item, from_key, to_key
-- What leaves one system arrives in the other: quantity_out and quantity_in are its capacity by either bill of material, and
-- a move nets to zero when they are equal and in one unit. decision is the entry of the RAID log that covers it.
WITH moved AS (
    SELECT
        m.*, f.system_id AS from_system, t.system_id AS to_system, f.unit AS from_unit, t.unit AS to_unit,
        m.pieces * coalesce(a.capacity_per_unit, 0) AS quantity_out,
        m.pieces * coalesce(b.capacity_per_unit, 0) AS quantity_in
    FROM core.moves_found m
    JOIN core.systems f ON f.system_key = m.from_key
    JOIN core.systems t ON t.system_key = m.to_key
    LEFT JOIN core.capacity_parts a ON a.system_key = m.from_key AND a.part_key = m.part_key
    LEFT JOIN core.capacity_parts b ON b.system_key = m.to_key AND b.part_key = m.part_key
    WHERE a.part_key IS NOT NULL OR b.part_key IS NOT NULL
),
called AS (
    SELECT *, unnest(list_distinct([from_key, to_key, asset_key, name_key, serial_key, order_key])) AS called FROM moved
),
named AS (
    SELECT
        m.item, m.from_key, m.to_key, d.id, d.state, d.decided_on,
        bool_or(d.name_key IN (m.asset_key, m.name_key, m.serial_key, m.order_key)) AS names_it,
        bool_or(m.from_key IN (d.name_key, d.system_key)) AND bool_or(m.to_key IN (d.name_key, d.system_key))
            AS names_both
    FROM called m
    JOIN core.move_decisions d
        ON d.name_key = m.called AND coalesce(d.system_key, m.from_key) IN (m.from_key, m.to_key)
    GROUP BY m.item, m.from_key, m.to_key, d.id, d.state, d.decided_on
),
covering AS (
    SELECT * FROM named WHERE names_it OR names_both
    QUALIFY row_number() OVER (
        PARTITION BY item, from_key, to_key ORDER BY state <> 'decided', state <> 'open', id) = 1
)
SELECT
    m.item,
    m.from_key,
    m.to_key,
    m.dataset,
    m.subject,
    m.from_system,
    m.to_system,
    m.part_key,
    m.pieces,
    m.quantity_out::DECIMAL(18, 3) AS quantity_out,
    m.quantity_in::DECIMAL(18, 3) AS quantity_in,
    m.from_unit,
    m.to_unit,
    m.quantity_out = m.quantity_in AND m.from_unit = m.to_unit AS nets,
    m.moved_on,
    c.id AS decision,
    coalesce(c.state, 'none') AS decision_state,
    c.decided_on,
    m._ingest,
    m._row,
    m._sheet
FROM moved m
LEFT JOIN covering c ON c.item = m.item AND c.from_key = m.from_key AND c.to_key = m.to_key
