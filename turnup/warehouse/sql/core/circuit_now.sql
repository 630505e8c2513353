-- table: core.circuit_now
-- grain: one row is a circuit
-- key: circuit_key
SELECT
    *,
    lower(customer_state) IN ('active', 'provisioned', 'up', 'available', 'in_service') AS customer_active,
    lower(provider_state) IN ('active', 'provisioned', 'up', 'available', 'in_service') AS provider_active
FROM stg.circuits
QUALIFY row_number() OVER (PARTITION BY circuit_key ORDER BY _ingest, _sheet, _row) = 1
