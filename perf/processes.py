"""One measurement in a process of its own: wall and CPU seconds, and the most memory of it and its children together.

Belongs here: starting and watching. Does not: what is measured, nor what the figures mean.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_EVERY = 0.05


@dataclass(frozen=True)
class Measured:
    """What a command took; ``told`` is the JSON document that it printed, whole or on its last line.

    Attributes:
        wall: seconds on the clock.
        cpu: seconds of computing of the process and of its children that ended.
        peak_mb: most resident memory of the process and its children at one moment, in MiB.
        said: all that it printed.
        failed: the end of what it said on its way out, when it failed.
    """

    wall: float
    cpu: float
    peak_mb: int
    told: dict[str, Any] = field(default_factory=dict)
    failed: str = ""
    said: str = ""


def measured(command: Sequence[str], env: Mapping[str, str] | None = None, limit_s: float = 7_200) -> Measured:
    """Run a command to its end and tell what it took; a failure is told, not raised."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=dict(env or os.environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    peak, over = [0], threading.Event()
    watcher = threading.Thread(target=_watch, args=(process.pid, peak, over), daemon=True)
    watcher.start()
    try:
        out, err = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out, err = process.communicate()
        err += f"\nended after {limit_s:.0f} s"
    over.set()
    watcher.join()
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    failed = (err or out)[-600:] if process.returncode else ""
    return Measured(wall, cpu, peak[0] >> 20, _document(out), failed, out)


def child(name: str, *arguments: str) -> Measured:
    """Run ``perf.children`` for one measurement."""
    return measured((sys.executable, "-m", "perf.children", name, *arguments))


def _document(out: str) -> dict[str, Any]:
    for text in (out, *out.splitlines()[-1:]):
        with contextlib.suppress(ValueError):
            found = json.loads(text)
            return found if isinstance(found, dict) else {}
    return {}


def _watch(group: int, peak: list[int], over: threading.Event) -> None:
    page = resource.getpagesize()
    while not over.wait(_EVERY):
        held = 0
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    stat = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                    held += int(stat[21]) * page if int(stat[2]) == group else 0
        peak[0] = max(peak[0], held)
