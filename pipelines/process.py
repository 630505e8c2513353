"""A process by a name that no later process has: host, process id, moment of its start."""

from __future__ import annotations

import os
import socket
from pathlib import Path

PROCESS_TAG = "turnup/process"
"""Tag of a run that names the process it runs in."""


def this_process() -> str:
    """The name of this process."""
    return _named(os.getpid())


def lives(name: str) -> bool:
    """Whether a process of that name exists; one of another host, or without a name, is taken to."""
    host, _, rest = name.partition(":")
    return host != socket.gethostname() or name == _named(int(rest.partition(":")[0]))


def _named(pid: int) -> str:
    """A process id alone is used again, so its start time belongs to the name."""
    try:
        started = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        started = "gone"
    return f"{socket.gethostname()}:{pid}:{started}"
