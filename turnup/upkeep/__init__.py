"""A programme's own health: weeks made again and compared, faults of the store found and mended, moves, retention.

Belongs here: everything that looks at what turnup wrote. Does not: how any of it is made; the steps of a refresh are
called, never repeated.
"""
