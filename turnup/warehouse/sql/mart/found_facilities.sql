-- table: core.found_facilities
-- grain: one row is a site whose facility in the reference data is absent, elsewhere, or doubtful itself
-- key: code, item
-- Reference data is compared, never taken over: a country is compared where both tell its code.
WITH known AS (
    SELECT f.*, count(*) OVER () AS n FROM stg.facilities f
    QUALIFY row_number() OVER (PARTITION BY facility_id_key ORDER BY _ingest, _sheet, _row) = 1
),
named AS (
    SELECT * FROM stg.sites WHERE peeringdb_id IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY site_id_key ORDER BY _ingest, _sheet, _row) = 1
),
placed AS (
    SELECT
        s.site_id, s.site_id_key, s.peeringdb_id, upper(trim(s.country)) AS site_country, f.facility_id_key, f.name,
        upper(trim(f.country)) AS country, f.city, f.place_fault, s._ingest, s._row, s._sheet
    FROM named s LEFT JOIN known f ON f.facility_id_key = s.peeringdb_id_key
    WHERE EXISTS (FROM known)
)
SELECT
    'facility_unknown' AS code, 'warning' AS severity, 'sites' AS dataset, NULL AS system_key, site_id AS subject,
    site_id_key AS item, _ingest, _row, _sheet,
    site_id || ' names facility ' || peeringdb_id || ', which the facility list does not have' AS message
FROM placed WHERE facility_id_key IS NULL
UNION ALL BY NAME
SELECT
    'facility_elsewhere' AS code, 'error' AS severity, 'sites' AS dataset, NULL AS system_key, site_id AS subject,
    site_id_key AS item, _ingest, _row, _sheet,
    site_id || ' is in ' || site_country || ', its facility ' || name || ' (' || peeringdb_id || ') is in '
        || concat_ws(', ', city, country) || ': one of the two is wrong' AS message
FROM placed WHERE len(site_country) = 2 AND len(country) = 2 AND site_country <> country
UNION ALL BY NAME
SELECT
    'facility_misplaced' AS code, 'warning' AS severity, 'facilities' AS dataset, NULL AS system_key, site_id AS subject,
    site_id_key AS item, _ingest, _row, _sheet,
    'the coordinates of ' || name || ', the facility of ' || site_id || ', cannot be used: ' || place_fault AS message
FROM placed WHERE place_fault IS NOT NULL
