"""Faults of a programme on disk: finding them, and mending what can be mended without losing evidence.

Each module finds one family of faults; ``examine`` asks them all, ``mend`` is the only one that changes anything.
"""
