"""Verdicts on hardware by its own measurements: limits and rules as data, judged in the database.

Belongs here: units, baselines, rules, their import and learning, and the models that judge. Does not: reading logs
(``turnup.formats.benchmarks``) or what a verdict means for readiness (``turnup.readiness``).
"""
