"""A small slice of the campaign of faults, in a process of its own; ``python -m perf.faults`` runs all of it."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_a_slice_of_the_campaign_finds_nothing():
    counts = {"kills": 12, "imports": 1, "dagster": 2, "disks": 2, "pairs": 4}
    command = [sys.executable, "-m", "perf.faults", *(f"--{kind}={count}" for kind, count in counts.items())]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
