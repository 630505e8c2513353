"""What is read again when code changes: every module that judges rows takes part in the version of reading."""

import subprocess
import sys
from pathlib import Path

from turnup.version import _READING

ROOT = Path(__file__).parents[2]
_OF_ITS_OWN = {"contract"}  # a contract's fingerprint is part of every ingest already


def test_every_module_that_judging_loads_takes_part():
    code = (
        "import sys, expectations.judging; print(*(name for name in sys.modules if name.startswith('expectations.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    assert {f"expectations/{name}.py" for name in loaded - _OF_ITS_OWN} == {
        place for place in _READING if place.startswith("expectations/")
    }


def test_every_place_exists():
    assert [place for place in _READING if not (ROOT / place).exists()] == []
