-- table: mart.findings
-- grain: one row is a finding; the same one keeps its id from week to week
-- key: finding_id
WITH found AS (
    SELECT * FROM core.found_claims
    UNION ALL BY NAME SELECT * FROM core.found_assets
    UNION ALL BY NAME SELECT * FROM core.found_stages
    UNION ALL BY NAME SELECT * FROM core.found_nodes
    UNION ALL BY NAME SELECT * FROM core.found_goods
    UNION ALL BY NAME SELECT * FROM core.found_stock
    UNION ALL BY NAME SELECT * FROM core.found_logistics
    UNION ALL BY NAME SELECT * FROM core.found_deliveries
    UNION ALL BY NAME SELECT * FROM core.found_installs
    UNION ALL BY NAME SELECT * FROM core.found_references
    UNION ALL BY NAME SELECT * FROM core.found_data
    UNION ALL BY NAME SELECT * FROM core.found_bills
    UNION ALL BY NAME SELECT * FROM core.found_cables
    UNION ALL BY NAME SELECT * FROM core.found_links
    UNION ALL BY NAME SELECT * FROM core.found_link_faults
    UNION ALL BY NAME SELECT * FROM core.found_circuits
    UNION ALL BY NAME SELECT * FROM core.found_demand
    UNION ALL BY NAME SELECT * FROM core.found_dependencies
    UNION ALL BY NAME SELECT * FROM core.found_orders
    UNION ALL BY NAME SELECT * FROM core.found_facilities
    UNION ALL BY NAME SELECT * FROM core.found_activities
    UNION ALL BY NAME SELECT * FROM core.found_raid
    UNION ALL BY NAME SELECT * FROM core.found_commit_dates
    UNION ALL BY NAME SELECT * FROM core.found_sites
    UNION ALL BY NAME SELECT * FROM core.found_waivers
)
SELECT
    f.code || ':' || f.item AS finding_id,
    f.code,
    f.severity,
    f.dataset,
    coalesce(s.system_id, f.system_key) AS system_id,
    f.subject,
    i.file,
    f._sheet AS sheet,
    f._row AS "row",
    f.message,
    coalesce(past.first_seen_week, p.week) AS first_seen_week,
    f.system_key
FROM found f
CROSS JOIN core.settings p
LEFT JOIN core.systems s ON s.system_key = f.system_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = f._ingest
LEFT JOIN past_findings past ON past.week = p.previous_week AND past.finding_id = f.code || ':' || f.item
