-- table: core.line_facts
-- grain: one row is a commitment line with what its blocks miss, what blocks them and what waiver carries them
-- key: contract_key, line_key, phase_key
-- driver: the last thing of the chain where another system decides when a block is ready, else the first blocker.
SELECT
    l.contract_key,
    l.line_key,
    l.phase_key,
    coalesce(sum(g.gaps), 0) AS gaps,
    first(g.first_gap ORDER BY l.block_no) FILTER (g.first_gap IS NOT NULL) AS first_gap,
    coalesce(
        first(h.driver ORDER BY h.p80 DESC NULLS FIRST, l.block_no) FILTER (h.driver IS NOT NULL),
        first(b.driver ORDER BY b.rank) FILTER (b.driver IS NOT NULL)
    ) AS driver,
    min(w.earliest_expiry) AS earliest_expiry,
    arg_min(w.first_waiver, (w.earliest_expiry, w.first_waiver)) AS first_waiver
FROM core.line_blocks l
LEFT JOIN core.evidence_gaps g ON g.system_key = l.system_key AND g.block = l.block
LEFT JOIN (
    SELECT system_key, block, min(rank) AS rank, first(gate || ': ' || message ORDER BY rank) AS driver
    FROM mart.blockers GROUP BY system_key, block
) b ON b.system_key = l.system_key AND b.block = l.block
LEFT JOIN mart.chains h ON h.system_key = l.system_key AND h.block = l.block AND h.rank = 1 AND h.decides
LEFT JOIN core.waived_blocks w ON w.system_key = l.system_key AND w.block = l.block
GROUP BY l.contract_key, l.line_key, l.phase_key
