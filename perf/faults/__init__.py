"""A campaign of faults: processes killed, disks filled and commands run at once, over a programme of a few files.

``python -m perf.faults`` runs it; perf/README.md says what was found. The way of every byte to disk is the real one;
only what costs time and writes nothing is stood in for (``programme``).
"""
