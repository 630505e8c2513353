-- table: mart.funnel
-- grain: one row is a system and a stage
-- key: system_key, stage_no
SELECT
    f.system_key,
    s.system_id,
    s.kind,
    s.unit,
    f.stage_no,
    f.stage,
    f.applicable,
    f.reached,
    f.held,
    f.excess,
    f.raw
FROM core.funnel f
JOIN core.systems s ON s.system_key = f.system_key
