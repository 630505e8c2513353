"""``turnup ui`` of a programme as a process of its own, for tests that use it or end it."""

import contextlib
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.pipelines.processes import running

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def served(home):
    """The UI, daemon and code server of the programme; gives the process and the port on the loopback address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "pipelines", "ui", "--home", str(home), "--port", str(port)]
    log = home / "ui.log"
    with running(command, log, cwd=ROOT) as process:
        _wait_for(f"http://127.0.0.1:{port}/server_info", process, log)
        yield process, port


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
