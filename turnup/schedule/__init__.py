"""The integrated schedule: activity networks, working time, critical path, health and forecast.

Belongs here: what a network means and what follows from it. Does not: the formats schedules come in
(``turnup.formats.schedule``) nor the evidence that binds them to systems (``turnup.readiness``).
"""
