-- table: core.link_ends
-- grain: one row is a row of links known at the cut-off, with both its ends as they compare
-- key: _ingest, sheet, _row
-- low_end and high_end do not depend on which end is named first.
SELECT
    l.*,
    coalesce(l._sheet, '') AS sheet,
    a.name AS a_name,
    b.name AS b_name,
    a.name || chr(31) || port_of(l.a_device_key, l.a_port_key) AS one,
    b.name || chr(31) || port_of(l.b_device_key, l.b_port_key) AS other,
    least(one, other) AS low_end,
    greatest(one, other) AS high_end
FROM stg.links l
CROSS JOIN core.settings p
JOIN core.link_names a ON a.device_key = l.a_device_key
JOIN core.link_names b ON b.device_key = l.b_device_key
WHERE l.observed_at IS NULL OR l.observed_at <= p.cut_off
