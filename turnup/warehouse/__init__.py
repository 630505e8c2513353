"""The store of immutable parts, the manifests that commit weeks, and the DuckDB file that anyone opens.

Belongs here: how rows are kept, staged, modelled and published. Does not: what the models mean (``turnup.readiness``).
"""
