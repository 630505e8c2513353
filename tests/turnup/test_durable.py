"""Writes are whole or not at all, and of processes that take turns one is inside at a time."""

import subprocess
import sys
from pathlib import Path

import pytest

from turnup.durable import StoreDamaged, create_exclusive, read_json, replace_bytes, staged

ROOT = Path(__file__).parents[2]
_TURN = """
import sys, time
from pathlib import Path
from turnup.durable import one_at_a_time
shared = Path(sys.argv[1])
for _ in range(20):
    with one_at_a_time(shared.with_name("lock")):
        seen = int(shared.read_text())
        time.sleep(0.002)
        shared.write_text(str(seen + 1))
"""


def test_processes_take_turns(tmp_path):
    shared = tmp_path / "count"
    shared.write_text("0")
    started = [subprocess.Popen([sys.executable, "-c", _TURN, str(shared)], cwd=ROOT) for _ in range(3)]
    assert [process.wait(timeout=60) for process in started] == [0, 0, 0]
    assert shared.read_text() == "60"


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    target = tmp_path / "a"
    replace_bytes(target, b"before")
    with pytest.raises(RuntimeError), staged(target) as temporary:
        temporary.write_bytes(b"half")
        raise RuntimeError
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a", b"before")]
    assert not create_exclusive(target, b"after")
    assert target.read_bytes() == b"before"


@pytest.mark.parametrize("content", [None, b"", b"{", b"\xff"])
def test_what_cannot_be_read_back_is_named(tmp_path, content):
    file = tmp_path / "record.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"record\.json: cannot be read back"):
        read_json(file)
