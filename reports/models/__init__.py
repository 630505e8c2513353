"""Frozen, versioned report models. Renderers read only these; their canonical JSON is written beside each report."""
