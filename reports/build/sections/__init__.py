"""Sections 0 to 13 of the governance report, one module per section or pair; each returns a `Section`."""
