"""Cases beside plain kills: through Dagster, on a full disk, and two processes at once."""

from __future__ import annotations

import random
import shutil
from functools import partial
from typing import TYPE_CHECKING

from perf.faults import disk, programme
from perf.faults.bench import Bench, Start
from perf.faults.cases import Outcome, killed_week, settled, to_the_end
from perf.faults.processes import Child, Ended, call
from perf.faults.programme import WEEKS
from perf.faults.state import State, sent, state
from pipelines.commands.doctor import see_doctor
from pipelines.commands.output import Output
from turnup.programme import Home
from turnup.upkeep.archive.export import export

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_ROOM = 256 << 20
_LARGEST = 14 << 20
"""Bytes of the largest file of a week: its database."""
_NEEDED = 32 << 20
"""Bytes that a week needs while it is made."""
_IN_A_ROW = 4
_ARCHIVE = "aurora.tar.gz"
_FULL = ("No space left", "no space left", "File too large", "ENOSPC")


def killed_in_dagster(bench: Bench, draw: random.Random) -> Outcome:
    """Kill the ``refresh`` job in the middle; the next run of it goes to the end."""
    return killed_week(bench, draw, programme.through_dagster)


def full_disk(bench: Bench, draw: random.Random) -> Outcome:
    """Let the disk be full somewhere in a week, with more room each time; then there is enough."""
    start = bench.starts[draw.choice(WEEKS)]
    bench.post.clear()
    folder = bench.copy(start.before).root.parent
    shares = sorted(draw.uniform(0.0, 1.0) for _ in range(_IN_A_ROW))
    ended = call(partial(_on_a_disk, folder, start, shares), folder)
    if ended.code:
        return 0, [ended.said[-1500:]]
    *full, done = ended.value
    failed = [each for each in full if each.code]
    wrong = [
        f"another error than that the disk is full: {each.said[-800:]}"
        for each in failed
        if not any(words in each.said.strip().splitlines()[-1] for words in _FULL)
    ]
    return len(failed), wrong + settled(bench, done, start.week, start.after)


def _on_a_disk(folder: Path, start: Start, shares: list[float]) -> list[Ended]:
    """Make a week where only a share of the room is left that it needs, each share in turn, then with room for all."""
    home = Home(folder / "disk" / "aurora")
    (folder / "disk").mkdir()
    work = partial(programme.make, home, start.week)
    mounted = True
    try:
        disk.mount(folder / "disk", _ROOM)
    except disk.NoMount:
        mounted = False
    shutil.copytree(start.before, home.root, symlinks=True)
    had, tries = _size(home.root), []
    for share in shares:
        if mounted:
            disk.resize(folder / "disk", had + int(share * _NEEDED))
            tries.append(call(work, home.root))
        else:
            tries.append(call(partial(_limited, work, int(share * _LARGEST)), home.root))
    if mounted:
        disk.resize(folder / "disk", _ROOM)
    return [*tries, call(partial(to_the_end, home, start.week), home.root)]


def _limited(work: Callable[[], None], size: int) -> None:
    disk.limit_files(size)
    work()


def _size(folder: Path) -> int:
    """Bytes of a folder, in pages as a disk in memory keeps them."""
    return sum(-(-file.lstat().st_size // 4096) * 4096 + 4096 for file in folder.rglob("*"))


def pair(bench: Bench, draw: random.Random) -> Outcome:
    """Let two processes work on one programme at once; each must get to its end."""
    return _pair_in_a_week(bench, draw) if draw.random() < 0.4 else _pair_after_it(bench, draw)


def _pair_in_a_week(bench: Bench, draw: random.Random) -> Outcome:
    start = bench.starts[draw.choice(WEEKS)]
    home = bench.copy(start.before)
    bench.post.clear()
    make: Callable[[], object] = partial(programme.make, home, start.week)
    earlier: list[Callable[[], object]] = [partial(programme.make, home, WEEKS[0])] if start.week == WEEKS[1] else []
    wrong = _at_once(home, make, draw.choice([make, make, *earlier, *_beside(home, start.week)]))
    done = call(partial(to_the_end, home, start.week), home.root)
    return 1, wrong + settled(bench, done, start.week, start.after)


def _pair_after_it(bench: Bench, draw: random.Random) -> Outcome:
    home = bench.copy(bench.unsent)
    bench.post.clear()
    send: Callable[[], object] = partial(programme.send, home, programme.later(WEEKS[1]))
    wrong = _at_once(home, send, draw.choice([send, *_beside(home, WEEKS[1])]))
    archive = home.root.parent / _ARCHIVE
    if archive.exists() and not archive.read_bytes().startswith(b"\x1f\x8b"):
        wrong.append("half an archive")
    done = call(partial(_as_it_is, home), home.root)
    return 1, wrong + settled(bench, done, WEEKS[1], bench.starts[WEEKS[1]].after)


def _as_it_is(home: Home) -> tuple[State, dict[tuple[str, str, str], str]]:
    programme.send(home, programme.later(WEEKS[1]))
    return state(home), sent(home)


def _at_once(home: Home, one: Callable[[], object], other: Callable[[], object]) -> list[str]:
    both = [Child(work, home.root) for work in (one, other)]
    return [f"one of two at once: {ended.said[-800:]}" for ended in [child.wait() for child in both] if ended.code]


def _beside(home: Home, week: str) -> list[Callable[[], object]]:
    """What else people do while a week is made or sent."""
    later = programme.later(week)
    return [
        partial(export, home, home.root.parent / _ARCHIVE),
        partial(programme.send, home, later),
        partial(see_doctor, home.root, later.isoformat(), Output(True), mends=True),
    ]
