-- One row per piece of supply given to a system: parts first in, first out, systems by the date of their contract.
WITH open AS (
    SELECT n.system_id, n.part_number, n.needed - coalesce(r.received, 0) AS quantity, c.contract_date
    FROM {{ ref('needs') }} n LEFT JOIN {{ ref('stg_commitments') }} c USING (system_id)
    LEFT JOIN (SELECT system_id, part_number, sum(received) AS received FROM {{ ref('orders') }} GROUP BY ALL) r
        USING (system_id, part_number)
    WHERE n.needed > coalesce(r.received, 0)),
demand AS (
    SELECT *, sum(quantity) OVER (PARTITION BY part_number ORDER BY contract_date, system_id ROWS UNBOUNDED PRECEDING)
        AS upto
    FROM open),
supply AS (
    SELECT *, sum(quantity) OVER (PARTITION BY part_number ORDER BY comes NULLS LAST, kind DESC, lot
        ROWS UNBOUNDED PRECEDING) AS upto
    FROM {{ ref('supply') }}),
points AS (SELECT part_number, upto FROM demand UNION SELECT part_number, upto FROM supply),
pieces AS (
    SELECT *, upto - coalesce(lag(upto) OVER (PARTITION BY part_number ORDER BY upto), 0) AS given FROM points)
SELECT d.system_id, p.part_number, p.given, s.kind, s.lot, s.comes, d.contract_date
FROM pieces p ASOF JOIN demand d ON p.part_number = d.part_number AND p.upto <= d.upto
ASOF LEFT JOIN supply s ON p.part_number = s.part_number AND p.upto <= s.upto
