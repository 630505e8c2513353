"""Dagster assets and asset checks: thin, each a few lines that call the domain.

What belongs here: which asset calls which step, and the metadata a manager reads. What does not: any rule or figure.
"""
