"""Schedules as their tools export them: XER and PMXML of Primavera P6, MSPDI, and tables."""
