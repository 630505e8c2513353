"""The forecast: the programme as one network, bound to evidence, simulated, and scored against what happened.

Belongs here: which facts of a programme become activities, links, distributions and risk events, and what the runs say
of systems, commitments and kinds. Does not: computing a network (``turnup.schedule``), nor how a report shows it.
"""
