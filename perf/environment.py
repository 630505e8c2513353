"""The peer's environment, made beside the user's caches, and a word about this machine.

Belongs here: what figures depend on. Does not: figures.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).parent / "peer" / "requirements.txt"
_TOLD = ("duckdb", "polars", "numba", "dagster", "great_expectations", "networkx")


def peer_python() -> Path | None:
    """The interpreter with the peer's packages, installed on first use; None where they cannot be had."""
    pinned = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "turnup-perf" / f"peer-{pinned}"
    python, ready = cache / "bin" / "python", cache / "installed"
    if ready.exists():
        return python
    steps = (
        (sys.executable, "-m", "venv", str(cache)),
        (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
         "--only-binary", ":all:", "-r", str(REQUIREMENTS)),
    )  # fmt: skip
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"the peer cannot be installed, so it is left out: {done.stderr.strip()[-300:]}", flush=True)
            return None
    ready.touch()
    return python


def machine() -> str:
    """Cores, memory, system and versions, in one line; no names."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in _TOLD)
    return (
        f"{len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB, {platform.system()} {platform.machine()}, "
        f"CPython {platform.python_version()}, {versions}"
    )


def load() -> float:
    """Processes that wanted a core in the last minute: above the number of cores, wall times say little."""
    return os.getloadavg()[0]
