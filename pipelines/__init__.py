"""How turnup is run: Dagster definitions, schedules and the command line.

What belongs here: wiring, the clock and the environment. What does not: any rule, figure or page.
"""
