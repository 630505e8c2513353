-- table: mart.chains
-- grain: one row is a need of a block that waits, with what it waits for down to the last thing
-- key: system_key, block, rank
-- rank 1 is the need that comes last. decides: it comes no earlier than the block's own work before the gate that asks.
-- driver: the gate that asks, the last thing with its owner and day, and the systems on the way.
SELECT
    c.system_key, c.system_id, c.block, c.rank, g.gate AS asked_gate, g.title AS asked_title, c.needed_key,
    c.needed_id, c.p80, c.decides, c.systems, c.chain, c.end_kind, c.leaf_id, c.leaf_kind, c.leaf, c.leaf_system_key,
    c.leaf_system_id, c.leaf_owner, c.leaf_date, c.leaf_date_kind, c.by_way,
    g.gate || ': ' || c.leaf || ' (' || concat_ws(', ', coalesce(nullif(c.leaf_owner, ''), 'no owner'),
        coalesce(c.leaf_date_kind || ' ' || c.leaf_date, 'no date')) || '), by way of ' || c.by_way AS driver
FROM core.chains c
JOIN mart.gates g ON g.system_key = c.system_key AND g.block = c.block AND g.gate_no = c.asked_no
