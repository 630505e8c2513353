"""Files of strangers are read in a child process with limits on memory and time, so that none can hurt a refresh.

Belongs here: starting, watching and replacing that process, and what is handed over. Does not: reading
(``turnup.formats``). This module imports no reader, so that the child can start while its parent does other things.
"""

from turnup.isolation.reader import Reader, shared_reader

__all__ = ["Reader", "shared_reader"]
