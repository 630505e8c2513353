"""What waits for what: from a system over the systems that it needs down to the one thing that is late.

Belongs here: chains and loops of needs. Does not: whether a need is met (``sql/gates``), or dates (``forecasting``).
"""
