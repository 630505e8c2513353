"""A refresh killed at any moment loses nothing: the next one ends where an undisturbed one ends.

The two programmes also run under other time zones and hash seeds, which must change nothing.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from examples.demo import generate

WEEKS = ("2026-W33", "2026-W34", "2026-W35")
KILLS = 10


SURROUNDINGS = {
    "calm": {"TZ": "Asia/Kolkata", "PYTHONHASHSEED": "1"},
    "shaken": {"TZ": "America/Los_Angeles", "PYTHONHASHSEED": "2"},
}


def refresh(home, week):
    return subprocess.Popen(
        [sys.executable, "-m", "pipelines", "refresh", "--home", str(home), "--week", week, "--json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env=os.environ | SURROUNDINGS[home.name],
    )


def finish(home, week):
    """Refresh undisturbed; return the seconds that it took."""
    started = time.monotonic()
    process = refresh(home, week)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors.decode()[-3000:]
    return time.monotonic() - started


def _let_run(process, seconds):
    """Wait until the process ends, but not longer than ``seconds``; return how long it was."""
    started = time.monotonic()
    while process.poll() is None and time.monotonic() - started < seconds:
        time.sleep(0.02)
    return time.monotonic() - started


def prepare(folder):
    generate(folder)
    shutil.copytree(Path(__file__).parents[2] / "playbooks", folder / "playbooks", dirs_exist_ok=True)
    return folder


def tables(home):
    with duckdb.connect(str((home / "warehouse.duckdb").resolve()), read_only=True) as con:
        names = con.sql(
            "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'"
            " ORDER BY 1"
        ).fetchall()
        return {name: con.sql(f"SELECT * FROM {name} ORDER BY ALL").fetchall() for (name,) in names}


def reports(home):
    return {file.relative_to(home): file.read_bytes() for file in sorted((home / "out").rglob("*")) if file.is_file()}


@pytest.mark.slow
def test_ten_kills_end_where_an_undisturbed_run_ends(tmp_path):
    calm, shaken = prepare(tmp_path / "calm"), prepare(tmp_path / "shaken")
    usual = min(finish(calm, week) for week in WEEKS)
    draw = random.Random(20260814)
    killed = current = 0
    for _ in range(4 * KILLS):
        process = refresh(shaken, WEEKS[current])
        lasted = _let_run(process, draw.uniform(0.1, 0.85) * usual)
        alive = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += alive
        usual = usual if alive else min(usual, lasted)  # kernels compiled and a machine at rest: later runs are shorter
        if killed == KILLS:
            break
        current = min(current + (not alive), len(WEEKS) - 1)  # a run that got through: on to the next week
        if (shaken / "warehouse.duckdb").exists():
            tables(shaken)  # whatever is shown is whole
    assert killed == KILLS
    for week in WEEKS:
        finish(shaken, week)
    assert tables(shaken) == tables(calm)
    assert reports(shaken) == reports(calm)
    assert not list((shaken / "out").rglob(".*tmp"))
