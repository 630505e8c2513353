"""Example programmes, run from a checkout."""
