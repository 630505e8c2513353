"""``turnup ui`` of a programme as a process of its own, for tests that use it or end it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def served(home):
    """The UI, daemon and code server of the programme; gives the process and the port on the loopback address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "pipelines", "ui", "--home", str(home), "--port", str(port)]
    with (home / "ui.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
        try:
            _wait_for(f"http://127.0.0.1:{port}/server_info", process, home / "ui.log")
            yield process, port
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=60)


def _wait_for(url, process, log):
    end = time.monotonic() + 180
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    pytest.fail("the UI did not answer:\n" + log.read_text()[-2000:])


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
