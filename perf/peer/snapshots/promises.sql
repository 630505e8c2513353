{% snapshot promises %}
{{ config(target_schema='main', unique_key=['po', 'line', 'schedule'], strategy='check', check_cols=['promised', 'quantity']) }}
-- One row per promise of an order line and time in which it held.
SELECT po, line, schedule, quantity, promised FROM {{ ref('stg_po_schedule') }}
{% endsnapshot %}
