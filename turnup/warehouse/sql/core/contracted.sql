-- table: core.contracted
-- grain: one row is a system
-- key: system_key
SELECT
    s.system_key,
    coalesce(sum(c.quantity), 0)::DECIMAL(18, 3) AS contracted,
    coalesce(sum(c.quantity) FILTER (c.due_now), 0)::DECIMAL(18, 3) AS due,
    min(c.contract_date) FILTER (NOT c.due_now) AS next_contract_date
FROM core.systems s
LEFT JOIN core.commitment_lines c ON c.system_key = s.system_key
GROUP BY s.system_key
