-- table: core.circuit_life
-- grain: one row is a circuit with the steps of its order that are done, and what it waits for
-- key: circuit_key
-- Steps: quoted, ordered, LOA-CFA, firm date, cross-connected, light, tested, in service. A step counts as done when a
-- later one proves it. Where cross-connects are known, letters, installation and light are those of all of them, at both ends;
-- else the circuit's own letter counts. A test that fell short of the rate
-- ordered outweighs a date, yet proves that there was light.
WITH ends AS (
    SELECT
        circuit_key,
        count(*) AS cross_connects,
        count(*) FILTER (installed IS NOT NULL) AS installed,
        count(*) FILTER (light IS NOT NULL) AS lit,
        bool_and(letter NOT IN ('not issued', 'expired')) AS letters,
        min(loa_cfa_expiry) FILTER (installed IS NULL) AS letter_expiry,
        string_agg('LOA-CFA of ' || cross_connect || ' (' || letter || CASE WHEN letter = 'expired'
            THEN ' ' || loa_cfa_expiry ELSE '' END || ')', ', ' ORDER BY cross_connect_key)
            FILTER (letter IN ('not issued', 'expired')) AS letters_missing,
        string_agg('cross-connect ' || cross_connect, ', ' ORDER BY cross_connect_key)
            FILTER (installed IS NULL) AS not_installed,
        string_agg('light on ' || cross_connect, ', ' ORDER BY cross_connect_key) FILTER (light IS NULL) AS not_lit
    FROM core.cross_connect_now WHERE circuit_key IS NOT NULL GROUP BY ALL
),
marked AS (
    SELECT
        c.*,
        coalesce(e.cross_connects, 0) AS cross_connects, coalesce(e.installed, 0) AS cross_connects_installed,
        coalesce(e.lit, 0) AS cross_connects_lit, e.letters_missing, e.not_installed, e.not_lit,
        coalesce(e.letter_expiry, CASE WHEN e.circuit_key IS NULL THEN c.loa_cfa_expiry END) AS letter_expiry,
        t.verdict, t.said, t.measured_at,
        coalesce(c.in_service <= c.as_of, false) AS is_live,
        coalesce(c.tested <= c.as_of OR t.verdict IS NOT NULL, false) AS was_tested,
        coalesce(c.tested <= c.as_of OR t.verdict = 'pass', false) AND coalesce(t.verdict <> 'fail', true) AS test_done,
        coalesce(e.letters, c.loa_cfa_issued <= c.as_of AND coalesce(c.loa_cfa_expiry >= c.as_of, true), false)
            AS letter_valid,
        coalesce(CASE WHEN e.circuit_key IS NULL THEN c.delivered <= c.as_of OR c.light <= c.as_of
            ELSE e.installed = e.cross_connects END, false) AS connected,
        coalesce(c.light <= c.as_of, e.lit = e.cross_connects AND c.delivered <= c.as_of, false) AS has_light
    FROM core.circuit_now c
    LEFT JOIN ends e ON e.circuit_key = c.circuit_key
    LEFT JOIN core.circuit_test_now t ON t.circuit_key = c.circuit_key
),
proved AS (
    SELECT
        *,
        was_tested OR is_live AS done_light_by_later,
        coalesce(ordered <= as_of, false) OR was_tested OR is_live AS done_ordered
    FROM marked
),
steps AS (
    SELECT
        *,
        coalesce(quoted <= as_of, false) OR done_ordered AS done_quoted,
        letter_valid OR connected OR has_light OR done_light_by_later AS done_letter,
        firm_date IS NOT NULL OR connected OR done_light_by_later AS done_firm,
        (connected OR (cross_connects = 0 AND has_light) OR done_light_by_later) AS done_connected,
        has_light OR done_light_by_later AS done_light,
        test_done AS done_tested,
        is_live AND test_done AS done_service
    FROM proved
),
numbered AS (
    SELECT
        *,
        [done_quoted, done_ordered, done_letter, done_firm, done_connected, done_light, done_tested, done_service] AS done,
        ['quoted', 'ordered', 'LOA-CFA', 'firm date', 'cross-connected', 'light', 'tested', 'in service'] AS names
    FROM steps
)
SELECT
    circuit_key, circuit, system_id_key AS system_key, system_id, provider, type, gbps, a_site, z_site,
    quoted, ordered, firm_date, coalesce(first_firm_date, firm_date) AS first_firm_date, delivered, light, tested,
    in_service, letter_valid, letter_expiry, cross_connects, cross_connects_installed, cross_connects_lit,
    letters_missing, not_installed, verdict AS test_verdict, said AS test_said, measured_at AS test_at,
    CASE WHEN is_live OR was_tested OR connected THEN 'not needed'
        WHEN letter_valid THEN CASE WHEN letter_expiry <= as_of + 14 THEN 'expiring' ELSE 'valid' END
        WHEN cross_connects = 0 AND loa_cfa_expiry < as_of THEN 'expired'
        WHEN cross_connects > 0 AND contains(letters_missing, '(expired') THEN 'expired'
        ELSE 'not issued' END AS letter,
    test_done, was_tested,
    CASE WHEN list_contains(done, true) THEN names[len(done) - list_position(list_reverse(done), true) + 1] END AS step,
    (CASE WHEN list_contains(done, true) THEN len(done) - list_position(list_reverse(done), true) + 1 ELSE 0
        END)::INTEGER AS step_no,
    names[list_position(done, false)] AS next_step,
    CASE list_position(done, false)
        WHEN 1 THEN 'a quote'
        WHEN 2 THEN 'our order'
        WHEN 3 THEN coalesce(letters_missing, CASE WHEN loa_cfa_expiry < as_of
            THEN 'LOA-CFA (expired ' || loa_cfa_expiry || ')' ELSE 'LOA-CFA' END)
        WHEN 4 THEN 'a firm date'
        WHEN 5 THEN coalesce(not_installed, 'the provider')
        WHEN 6 THEN coalesce(not_lit, 'light')
        WHEN 7 THEN CASE WHEN verdict = 'fail' THEN 'a test that reaches the rate: ' || said ELSE 'a test' END
        WHEN 8 THEN 'going into service'
    END AS waits_for,
    CASE WHEN NOT done_service THEN greatest(0, as_of - firm_date)::INTEGER END AS days_overdue,
    as_of, _ingest, _row, _sheet
FROM numbered
