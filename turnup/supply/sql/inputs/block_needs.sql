-- table: core.block_needs
-- grain: one row is a block with the day on which it is needed and its place among the blocks of its system
-- key: system_key, block_key
-- The day is the block's own, else the earliest need (else internal commit, else contract) date of the contract lines
-- that the block serves: lines by contract date and blocks by planned order lie on one scale of capacity.
-- Of what a whole system needs, its blocks up to this one take reached / total; without sizes all blocks are alike.
-- block_id, system_no and site_no stand for the names while goods are given out.
WITH own AS (
    SELECT system_id_key AS system_key, block_key, min(need_date) AS need_date FROM stg.blocks GROUP BY ALL
),
promised AS (
    SELECT
        b.system_key, b.block_key,
        min(coalesce(c.need_date, c.internal_commit_date, c.contract_date)) AS need_date
    FROM core.block_sizes b
    JOIN core.commitment_lines c
        ON c.system_key = b.system_key
        AND (b.blocks = 1 OR (
            b.planned_before < c.cumulative AND b.planned_before + b.planned > c.cumulative - c.quantity
        ))
    GROUP BY ALL
),
sized AS (
    SELECT *, sum(planned) OVER (PARTITION BY system_key) AS total FROM core.block_sizes
)
SELECT
    b.system_key,
    b.block_key,
    b.block,
    b.block_no,
    b.planned,
    s.site_key,
    s.netting_order AS priority,
    coalesce(o.need_date, p.need_date) AS need_date,
    (CASE WHEN b.total > 0 THEN b.planned_before ELSE b.block_no - 1 END)::DOUBLE AS reached_before,
    (CASE WHEN b.total > 0 THEN b.planned_before + b.planned ELSE b.block_no END)::DOUBLE AS reached,
    (CASE WHEN b.total > 0 THEN b.total ELSE b.blocks END)::DOUBLE AS total,
    row_number() OVER (ORDER BY b.system_key, b.block_no) AS block_id,
    dense_rank() OVER (ORDER BY b.system_key) AS system_no,
    dense_rank() OVER (ORDER BY s.site_key) AS site_no
FROM sized b
JOIN core.systems s ON s.system_key = b.system_key
LEFT JOIN own o ON o.system_key = b.system_key AND o.block_key = b.block_key
LEFT JOIN promised p ON p.system_key = b.system_key AND p.block_key = b.block_key
