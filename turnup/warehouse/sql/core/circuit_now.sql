-- table: core.circuit_now
-- grain: one row is a circuit
-- key: circuit_key
SELECT
    *,
    lower(customer_state) IN ('active', 'provisioned', 'up', 'available', 'in_service') AS customer_active,
    coalesce(tested <= as_of, false) AS is_tested,
    lower(provider_state) IN ('active', 'provisioned', 'up', 'available', 'in_service') AS provider_active
FROM stg.circuits
CROSS JOIN core.settings
QUALIFY row_number() OVER (PARTITION BY circuit_key ORDER BY _ingest, _sheet, _row) = 1
