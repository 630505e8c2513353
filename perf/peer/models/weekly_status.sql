{{ config(materialized='incremental', unique_key=['week', 'system_id']) }}
-- One row per system and week, kept from week to week.
SELECT (SELECT max(observed_at)::DATE FROM {{ ref('stg_utilization') }}) AS week, * FROM {{ ref('system_status') }}
