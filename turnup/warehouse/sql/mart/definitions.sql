-- table: mart.definitions
-- grain: one row is something that decides what a figure means: a criterion, a limit, a threshold, a metric
-- key: what, subject, name
-- Kept with each week, so that a change of it is seen and a change of a figure by it is told from one of capacity.
WITH said AS (
    SELECT 'playbook' AS what, playbook AS subject, 'version' AS name, version AS says FROM core.playbooks
    UNION ALL
    SELECT
        'criterion', playbook, gate || '/' || criterion,
        concat_ws(', ', metric || ' ' || comparison || ' ' || coalesce(figure(threshold), 'planned'), scope,
            CASE WHEN scope = 'unit' THEN 'share ' || figure(min_share) END,
            'at most ' || evidence_age_days || ' days old', severity, CASE WHEN standing THEN 'standing' END)
    FROM core.criteria
    UNION ALL
    SELECT
        'acceptance limit', sku_key,
        concat_ws(' ', test_key, metric_key, statistic, placement, direction, nodes || ' nodes',
            size_bytes || ' bytes'),
        limit_text || CASE WHEN required THEN ', required' ELSE '' END
    FROM core.baselines
    UNION ALL
    SELECT 'acceptance rule', sku_key, rule_key, text FROM core.rules
    UNION ALL
    SELECT 'software', concat_ws(' ', nullif(system_key, '*'), sku_key), component_key,
        array_to_string(versions, ' or ') FROM core.golden
    UNION ALL
    SELECT 'threshold', 'programme', name, figure(value)
    FROM (
        UNPIVOT (
            SELECT tolerance_days::DOUBLE AS tolerance_days, waiver_days::DOUBLE AS waiver_days,
                review_days::DOUBLE AS review_days, snapshot_hours, first_hours,
                service_hours::DOUBLE AS service_hours, use_threshold
            FROM core.settings
        ) ON COLUMNS(*) INTO NAME name VALUE value
    )
    UNION ALL
    SELECT 'metric', metric, 'definition', definition || ' (' || formula || ')' FROM core.metric_definitions
)
SELECT
    what,
    coalesce(subject, '') AS subject,
    coalesce(name, '') AS name,
    string_agg(coalesce(says, ''), '; ' ORDER BY says) AS says
FROM said GROUP BY ALL
