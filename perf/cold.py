"""Cold starts: every command, each time in a new process with its bytecode compiled.

Belongs here: which commands, on what. Does not: what a start may take (``perf.targets``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from typer.main import get_command

from perf.processes import Measured, measured
from perf.programme import LABEL
from pipelines.cli import app

_TRIES = 3
_SMALL = "system_id,line,part_number,quantity\nSYS-1,1,A-1,3\nSYS-1,2,B-2,4\n"


def commands(small: Path, home: Path | None) -> dict[str, tuple[str, ...]]:
    """The help of every command, an inspected small file, and what reads a programme that was refreshed."""
    runs: dict[str, tuple[str, ...]] = {
        "turnup --help": ("--help",),
        "turnup inspect of a small file": ("inspect", str(small)),
    }
    if home is not None:
        at = ("--home", str(home))
        runs |= {
            "turnup status": ("status", *at),
            "turnup doctor": ("doctor", *at),
            "turnup explain of a metric": ("explain", "schedulable", "SYS-00000", *at, "--week", LABEL),
        }
    names = sorted(getattr(get_command(app), "commands", {}))
    return runs | {f"turnup {name} --help": (name, "--help") for name in names}


def starts(folder: Path, home: Path | None) -> Iterator[tuple[str, Measured]]:
    """Each command with the quickest of its starts; one more before them compiles.

    Args:
        folder: where a small file may be written.
        home: a small programme that was refreshed; None: commands that read one are left out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    small = folder / "small.csv"
    small.write_text(_SMALL, encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for name, arguments in commands(small, home).items():
        tries = [measured((sys.executable, "-m", "pipelines", *arguments), env) for _ in range(_TRIES + 1)][1:]
        yield name, min(tries, key=lambda one: (bool(one.failed), one.wall))


def lines(found: dict[str, Measured]) -> list[str]:
    """The table of all commands."""
    head = ["## Cold starts", "", f"The least of {_TRIES}, bytecode compiled.", ""]
    return [*head, "| command | wall s | CPU s | peak MiB |", "| --- | --- | --- | --- |", *map(_row, found.items())]


def _row(command: tuple[str, Measured]) -> str:
    name, one = command
    if one.failed:
        return f"| {name} | failed: {' '.join(one.failed.split())[-120:]} | | |"
    return f"| {name} | {one.wall:.2f} | {one.cpu:.2f} | {one.peak_mb} |"
