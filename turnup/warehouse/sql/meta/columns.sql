-- table: meta.columns
-- grain: one row is one column of a delivered file, its place in it, and what became of it
-- key: column_no
WITH mapped AS (
    SELECT DISTINCT d.source, d.dataset, d.path AS file, c.place, c.name, c.maps_to, c.how, d.in_force, d._ingest
    FROM landed.deliveries AS d
    JOIN landed._columns AS c USING (_ingest, _batch)
)
SELECT row_number() OVER (ORDER BY file, source, _ingest, place, name, maps_to, how, in_force) AS column_no, *
FROM mapped
ORDER BY column_no
