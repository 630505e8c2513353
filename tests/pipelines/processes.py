"""Processes of tests with all that they start: begun in a session of their own, asked to end, or killed at once."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path


@contextlib.contextmanager
def running(command, log, **options):
    """A process and what it starts, whose words go to a file; they are asked to end on leaving."""
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True, **options)
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=60)


def cut_off(process):
    """Kill a process and all that came of it at once, as a machine that loses power does."""
    family, parents = {process.pid}, _parents()
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    for member in family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(member, signal.SIGSTOP)
    for member in family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(member, signal.SIGKILL)
    process.wait(timeout=60)


def _parents():
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            found[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
    return found
