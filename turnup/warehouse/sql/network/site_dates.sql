-- table: core.site_dates
-- grain: one row is a block whose hall does not yet cover it, with the day on which it will
-- key: system_key, block_key
-- ready_on is the first planned day by which power, cooling and racks all cover what is due in the hall up to this block;
-- none where what is planned does not cover it, or is not dated. A phase that is overdue is still to come.
WITH uncovered AS (
    SELECT system_key, block_key FROM core.block_room r
    WHERE r.site_key IN (SELECT site_key FROM core.hall_supply)
    GROUP BY ALL HAVING NOT bool_and(coalesce(r.ratio >= 1, false))
),
wanted AS (
    SELECT r.* FROM core.block_room r JOIN uncovered u ON u.system_key = r.system_key AND u.block_key = r.block_key
),
offered AS (
    SELECT
        w.system_key, w.block_key, w.resource, w.load, w.unknown, d.day,
        sum(CASE WHEN f.ready OR f.day <= d.day THEN coalesce(f.later, 0) ELSE coalesce(f.now, 0) END) AS offered
    FROM wanted w
    JOIN (SELECT DISTINCT site_key, hall_key, day FROM core.hall_supply WHERE day IS NOT NULL) d
        ON d.site_key = w.site_key AND (w.hall_key IS NULL OR d.hall_key = w.hall_key)
    JOIN core.hall_supply f
        ON f.site_key = w.site_key AND (w.hall_key IS NULL OR f.hall_key = w.hall_key) AND f.resource = w.resource
    GROUP BY ALL
),
covered AS (
    SELECT system_key, block_key, day FROM offered
    GROUP BY ALL HAVING bool_and(unknown = 0 AND offered >= load)
)
SELECT u.system_key, u.block_key, min(c.day) AS ready_on
FROM uncovered u
LEFT JOIN covered c ON c.system_key = u.system_key AND c.block_key = u.block_key
GROUP BY u.system_key, u.block_key
