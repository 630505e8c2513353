-- table: core.funnel
-- grain: one row is a system and a stage
-- key: system_key, stage_no
-- raw: capacity with the evidence of this and every earlier applicable stage; reached: raw, never more than the stage
-- before (and so never more than the commitment); held: what the stage before had and this one has not.
WITH by_unit AS (
    SELECT system_key, stage_no, sum(quantity) FILTER (reached) AS quantity FROM core.unit_stages GROUP BY ALL
),
by_goods AS (
    SELECT
        q.system_key,
        sum(q.ordered * c.capacity_per_unit) AS ordered,
        sum(q.shipped * c.capacity_per_unit) AS shipped,
        sum(q.received * c.capacity_per_unit) AS received
    FROM core.part_supply q
    JOIN core.capacity_parts c ON c.system_key = q.system_key AND c.part_key = q.part_key
    GROUP BY q.system_key
),
raw AS (
    SELECT
        s.system_key,
        k.stage_no,
        k.stage,
        k.applicable,
        c.contracted,
        CASE
            WHEN k.stage_no = 0 THEN c.contracted
            WHEN NOT k.applicable THEN NULL
            ELSE greatest(
                coalesce(u.quantity, 0),
                coalesce(CASE k.stage WHEN 'ordered' THEN g.ordered WHEN 'shipped' THEN g.shipped WHEN 'received'
                    THEN g.received END, 0)
            )
        END::DECIMAL(18, 3) AS raw
    FROM core.systems s
    JOIN core.contracted c ON c.system_key = s.system_key
    JOIN core.kind_stages k ON k.kind = s.kind AND k.supply_model = s.supply_model
    LEFT JOIN by_unit u ON u.system_key = s.system_key AND u.stage_no = k.stage_no
    LEFT JOIN by_goods g ON g.system_key = CASE s.unit_source WHEN 'asset' THEN s.system_key END
),
chained AS (
    SELECT *, min(raw) OVER (PARTITION BY system_key ORDER BY stage_no) AS reached FROM raw
)
SELECT
    system_key,
    stage_no,
    stage,
    applicable,
    contracted,
    raw,
    reached,
    coalesce(lag(reached) OVER (PARTITION BY system_key ORDER BY stage_no) - reached, 0)::DECIMAL(18, 3) AS held,
    greatest(0, coalesce(raw, 0) - contracted)::DECIMAL(18, 3) AS excess
FROM chained
