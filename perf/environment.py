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

_PEER = ("dbt-core", "dbt-duckdb", "great_expectations", "pandas", "openpyxl", "pandera", "pointblank", "networkx",
         "trueppm-scheduler")  # fmt: skip


def peer_python() -> tuple[Path | None, str]:
    """The interpreter with the peer's packages, installed on first use; None, and why, where they cannot be had."""
    pinned = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "turnup-perf" / f"peer-{pinned}"
    python, ready = cache / "bin" / "python", cache / "installed"
    if ready.exists():
        return python, ""
    steps = (
        (sys.executable, "-m", "venv", "--clear", str(cache)),
        (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
         "--only-binary", ":all:", "-r", str(REQUIREMENTS)),
    )  # fmt: skip
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            said = " ".join((done.stderr or done.stdout).split())
            return None, f"cannot be installed here, so nothing of it was measured: `{said[-300:]}`"
    ready.touch()
    return python, ""


def peer_versions(python: Path) -> str:
    """Versions of the peer's packages, in one sentence."""
    asked = "import importlib.metadata as m, sys; print(', '.join(f'{n} {m.version(n)}' for n in sys.argv[1:]))"
    done = subprocess.run((str(python), "-c", asked, *_PEER), capture_output=True, text=True, check=False)
    return f"The peer: {done.stdout.strip() or 'its versions cannot be told'}."


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
