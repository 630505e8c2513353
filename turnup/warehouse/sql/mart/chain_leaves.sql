-- table: mart.chain_leaves
-- grain: one row is the last thing of one chain or more: what other systems wait for in the end
-- key: leaf_id
-- waiting: what is contracted and not schedulable in the systems above it, by kind; kinds are never added up.
-- accelerators: that of accelerator clusters.
WITH leaves AS (
    SELECT
        leaf_id, any_value(leaf_kind) AS leaf_kind, any_value(leaf) AS leaf,
        any_value(leaf_system_key) AS system_key, any_value(leaf_system_id) AS system_id,
        min(leaf_gate_no) AS gate_no, any_value(leaf_owner) AS owner, max(leaf_date) AS on_date,
        arg_max(leaf_date_kind, leaf_date) AS date_kind
    FROM core.chains GROUP BY leaf_id
),
above AS (
    SELECT l.leaf_id, s.system_id, s.kind, k.kind_no, s.unit, f.contracted - f.reached AS waiting
    FROM leaves l
    JOIN core.need_paths p ON p.root_key = l.system_key AND p.gate_no >= l.gate_no
    JOIN core.systems s ON s.system_key = p.system_key
    JOIN core.kinds k ON k.kind = s.kind
    JOIN core.funnel f ON f.system_key = p.system_key AND f.stage = 'schedulable'
),
by_kind AS (
    SELECT leaf_id, kind, kind_no, any_value(unit) AS unit, sum(waiting) AS waiting, count(*) AS systems,
        string_agg(system_id, ', ' ORDER BY system_id) AS names
    FROM above GROUP BY leaf_id, kind, kind_no
)
SELECT
    l.*,
    coalesce(sum(b.systems), 0)::INTEGER AS systems_above,
    string_agg(b.names, ', ' ORDER BY b.kind_no) AS names_above,
    coalesce(sum(b.waiting) FILTER (b.kind = 'gpu_cluster'), 0)::DECIMAL(18, 3) AS accelerators,
    coalesce(string_agg(figure(b.waiting) || ' ' || b.unit, '; ' ORDER BY b.kind_no) FILTER (b.waiting > 0), 'nothing')
        AS waiting
FROM leaves l
LEFT JOIN by_kind b ON b.leaf_id = l.leaf_id
GROUP BY ALL
