"""From the published warehouse of one week to report models: reading, wording by rule, reconciliation."""
