"""The health of a schedule: the DCMA's fourteen points, and what else a planner would ask.

Belongs here: judging a project as it is. Does not: computing its dates (``turnup.schedule.passes``) or its forecast.
``assess`` is the entry.
"""
