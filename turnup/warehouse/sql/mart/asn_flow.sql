-- table: mart.asn_flow
-- grain: one row is a vendor with what its shipments announced and what came of it, in lines of orders per shipment
-- key: vendor
-- Of announced lines, each is as announced, short, over, or not there yet; damaged counts beside them.
SELECT
    coalesce(vendor, '(unknown)') AS vendor,
    count(*) FILTER (is_announced)::INTEGER AS announced,
    count(*) FILTER (is_announced AND arrived = shipped)::INTEGER AS as_announced,
    count(*) FILTER (is_announced AND arrived > 0 AND arrived < shipped)::INTEGER AS short,
    count(*) FILTER (is_announced AND arrived > shipped)::INTEGER AS over,
    count(*) FILTER (is_announced AND arrived = 0)::INTEGER AS not_there,
    count(*) FILTER (NOT is_announced)::INTEGER AS not_announced,
    count(*) FILTER (rejected > 0)::INTEGER AS damaged,
    sum(shipped)::DECIMAL(18, 3) AS pieces_shipped,
    sum(arrived)::DECIMAL(18, 3) AS pieces_arrived,
    sum(rejected)::DECIMAL(18, 3) AS pieces_rejected
FROM core.asn_lines
GROUP BY coalesce(vendor, '(unknown)')
