-- table: acceptance.outliers
-- grain: one row is a member's value that is worse than those of its peers: same SKU, figure and size
-- key: subject_no, sku_key, figure_no, row_no
-- robust z = 0.6745 (x - median) / MAD. An outlier is on the bad side by more than the tolerance and the limit of z, among
-- enough nodes; when most are alike (MAD 0) the tolerance alone decides. A fleet that is slow as a whole has none.
SELECT
    r.subject_no, g.sku_key, g.figure_no, r.row_no, r.member, r.value, r.unit, g.median, g.mad, g.subjects,
    g.better * (r.value - g.median) / nullif(abs(g.median), 0) AS deviation,
    g.better * 0.6745 * (r.value - g.median) / nullif(g.mad, 0) AS robust_z
FROM acceptance.peer_groups g
CROSS JOIN core.judging j
JOIN acceptance.readings r
    ON r.figure_no = g.figure_no AND r.size_bytes = g.size_bytes AND r.unit = g.unit AND r.is_largest AND r.is_usable
    AND g.better * (r.value - g.median) < -j.tolerance * abs(g.median)
JOIN core.subject_skus k ON k.subject_no = r.subject_no AND k.sku_key = g.sku_key
WHERE g.subjects >= j.minimum_nodes
    AND (g.mad = 0 OR g.better * 0.6745 * (r.value - g.median) / g.mad < -j.robust_z)
