"""Trends: figures week by week and month by month, and whether a change is real.

Belongs here: six weeks and twelve months, process behaviour, slips of milestones, and the series they are made for.
Does not: any drawing or sentence of a report.
"""
