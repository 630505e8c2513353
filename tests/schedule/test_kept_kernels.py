"""Compiled kernels on disk: whatever processes do at once, nobody runs what was compiled for other arguments."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from turnup.schedule.kept_kernels import KeptKernel

ROOT = Path(__file__).parents[2]
WHOLE, REAL = ("int64", "x86_64"), ("float64", "x86_64")

# A process waits until the others are as far, then takes up the types in an order of its own.
DOUBLED = """
import sys, pathlib, time
import numpy as np
sys.path.insert(0, {folder!r})
from doubling import doubled
pathlib.Path({folder!r}, "ready-{number}").touch()
while not pathlib.Path({folder!r}, "go").exists():
    time.sleep(0.001)
for kind in {kinds!r}:
    found = doubled(np.arange(5).astype(kind))
    assert found.dtype == np.dtype(kind) and found.tolist() == [0, 2, 4, 6, 8], (kind, found)
print(sum(doubled.stats.cache_misses.values()))
"""
KERNEL = """
import numpy as np
from turnup.schedule.compiled import kernel

@kernel()
def doubled(values):
    made = np.empty_like(values)
    for place in range(len(values)):
        made[place] = values[place] + values[place]
    return made
"""
KINDS = ["int64", "float64", "int32", "float32", "int16"]
DATED = """
from tests.schedule.projects import activity, link, project
from turnup.schedule.passes import schedule
from turnup.schedule.working_time import moment_of

given = project([activity("a", 5), activity("b", 4, calendar="every day"), activity("c", 6)],
                [link("a", "b", "SS", 2), link("b", "c", "FF", 1)])
print(*(moment_of(int(at)) for at in schedule(given).early_finish))
"""


def started(code, folder):
    return subprocess.Popen(
        [sys.executable, "-c", code], env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")}, cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ended(process):
    printed, errors = process.communicate(timeout=600)
    assert process.returncode == 0, (process.returncode, errors[-3000:])
    return printed


def test_what_one_process_keeps_another_finds(tmp_path):
    one, other = (KeptKernel(tmp_path, "f-1.py311", "a" * 64) for _ in range(2))
    assert one.load(WHOLE) is None
    assert other.load(REAL) is None
    one.save(WHOLE, "for whole numbers")
    other.save(REAL, "for real numbers")
    assert [each.load(key) for each in (one, other) for key in (WHOLE, REAL)] == [
        "for whole numbers", "for real numbers"
    ] * 2  # fmt: skip


def test_after_a_change_of_the_sources_nothing_old_is_found(tmp_path):
    before, beside = KeptKernel(tmp_path, "f-1.py311", "a" * 64), KeptKernel(tmp_path, "f-12.py311", "a" * 64)
    before.save(WHOLE, "old")
    beside.save(WHOLE, "of another function")
    after = KeptKernel(tmp_path, "f-1.py311", "b" * 64)
    assert after.load(WHOLE) is None
    after.save(REAL, "new")
    assert [before.load(WHOLE), after.load(WHOLE), after.load(REAL)] == [None, None, "new"]
    assert beside.load(WHOLE) == "of another function"


def test_what_is_not_whole_is_as_if_it_were_not_there(tmp_path):
    kernel = KeptKernel(tmp_path, "f-1.py311", "a" * 64)
    kernel.save(WHOLE, "for whole numbers")
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    for broken in (b"", content[:20], content[:32], content[:-1], content[:-1] + b"x", bytes(len(content))):
        file.write_bytes(broken)
        assert kernel.load(WHOLE) is None
    kernel.save(WHOLE, "compiled again")
    assert kernel.load(WHOLE) == "compiled again"


def test_a_process_that_is_killed_while_it_keeps_leaves_nothing(tmp_path, monkeypatch):
    kernel = KeptKernel(tmp_path, "f-1.py311", "a" * 64)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        kernel.save(WHOLE, "half")
    assert kernel.load(WHOLE) is None


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    (tmp_path / "file").touch()
    kernel = KeptKernel(tmp_path / "file" / "folder", "f-1.py311", "a" * 64)
    kernel.save(WHOLE, "for whole numbers")
    assert kernel.load(WHOLE) is None


@pytest.mark.slow
def test_many_processes_compile_one_kernel_for_different_arguments(tmp_path):
    (tmp_path / "doubling.py").write_text(KERNEL, encoding="utf-8")
    kinds = [KINDS[number:] + KINDS[:number] for number in range(len(KINDS))]
    begun = [
        started(DOUBLED.format(folder=str(tmp_path), number=number, kinds=own), tmp_path)
        for number, own in enumerate(kinds)
    ]
    while len(list(tmp_path.glob("ready-*"))) < len(begun) and all(process.poll() is None for process in begun):
        pass
    (tmp_path / "go").touch()
    for process in begun:
        ended(process)
    later = DOUBLED.format(folder=str(tmp_path), number="later", kinds=KINDS)
    assert ended(started(later, tmp_path)).strip() == "0"  # everything was kept


@pytest.mark.slow
def test_two_cold_processes_date_a_schedule_at_once(tmp_path):
    first, second = started(DATED, tmp_path), started(DATED, tmp_path)
    told = ended(first)
    # b works on Saturday the 10th; c takes six days, a day after b at the earliest: Monday the 12th.
    assert told.strip() == "2026-01-09 17:00:00 2026-01-10 17:00:00 2026-01-12 17:00:00"
    assert ended(second) == told
    kept = {file.name: file.read_bytes() for file in tmp_path.rglob("*.nbc")}
    assert kept
    assert ended(started(DATED, tmp_path)) == told
    assert {file.name: file.read_bytes() for file in tmp_path.rglob("*.nbc")} == kept
