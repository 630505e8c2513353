"""Demand and supply: which parts each block needs, what is there or comes for it, and what can be built of it when.

Belongs here: the netting of parts, its inputs and results, and the days on which kits are complete. Does not: how files
are read (``formats``), gates (``readiness``), or how long work takes (``schedule``).
"""
