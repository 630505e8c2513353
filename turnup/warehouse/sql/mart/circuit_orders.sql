-- table: mart.circuit_orders
-- grain: one row is a circuit with how far its order has come and what it waits for
-- key: circuit_key
SELECT
    circuit_key, system_key, system_id, circuit, provider, type, gbps, a_site, z_site, step, step_no, next_step, waits_for,
    letter, letter_expiry, cross_connects, cross_connects_installed, quoted, ordered, first_firm_date, firm_date,
    (firm_date - first_firm_date)::INTEGER AS promise_moved_days, delivered, light, tested, in_service,
    test_verdict, test_said, days_overdue
FROM core.circuit_life
