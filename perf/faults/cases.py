"""One case each: something happens to a programme, it goes on, and what is wrong afterwards is returned in words."""

from __future__ import annotations

import random
import shutil
from functools import partial
from typing import TYPE_CHECKING

from perf.faults import programme
from perf.faults.bench import Bench, drawn_kill
from perf.faults.post import misdelivered
from perf.faults.processes import Child, Ended, call
from perf.faults.programme import WEEKS
from perf.faults.state import State, differences, proved, read_all_the_time, sent, state
from tests.turnup.small_programme import CLOSED
from turnup.programme import Home
from turnup.upkeep.archive.export import export
from turnup.upkeep.archive.imported import import_programme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Outcome = tuple[int, list[str]]
"""How many faults took place (processes killed, disks full, pairs), and what is wrong afterwards, in words."""
_IN_A_ROW = 4


def killed_week(bench: Bench, draw: random.Random, make: Callable[[Home, str], object] = programme.make) -> Outcome:
    """Kill a week while it is made, issued and sent, again and again, a reader at its side; then make it to the end."""
    start = bench.starts[draw.choice(WEEKS)]
    home = bench.copy(start.before)
    usual = start.took if make is programme.make else bench.job
    bench.post.clear()
    reader = Child(partial(read_all_the_time, home, home.root.parent / "stop"), home.root)
    tries: list[Ended] = []
    while len(tries) < _IN_A_ROW and all(ended.killed for ended in tries):
        tries.append(call(partial(make, home, start.week), home.root, drawn_kill(draw, usual)))
    wrong = [f"it failed: {ended.said[-800:]}" for ended in tries if not ended.killed and ended.code]
    done = call(partial(_to_the_end, home, start.week, make), home.root)
    (home.root.parent / "stop").touch()
    seen = reader.wait()
    wrong += [f"reader: {seen.said[-500:]}"] if seen.code else []
    wrong += settled(bench, done, start.week, start.after)
    return sum(ended.killed for ended in tries), wrong


def killed_delivery(bench: Bench, draw: random.Random) -> Outcome:
    """Kill a round of delivery; the next rounds come minutes later, or only after the next week has closed."""
    home = bench.copy(bench.unsent)
    bench.post.clear()
    now = programme.later(WEEKS[1])
    ended = call(partial(programme.send, home, now), home.root, drawn_kill(draw, bench.sending, waits=True))
    a_week_passes = draw.random() < 0.3
    begun = call(partial(sent, home), home.root).value
    done = call(partial(_rounds, home, a_week_passes), home.root)
    if done.code:
        return ended.killed, [done.said[-800:]]
    if a_week_passes:  # an older week is begun no more; what was begun goes to its end
        done.value.update({key: "not begun" for key in _messages(WEEKS[1]) if key not in begun})
    return ended.killed, misdelivered(bench.post, done.value, WEEKS[1])


def killed_export(bench: Bench, draw: random.Random) -> Outcome:
    """Kill an export: its file is whole or not there, and the next one is the same as ever."""
    home = bench.copy(bench.done)
    file = home.root.parent / "aurora.tar.gz"
    ended = call(partial(export, home, file), home.root.parent, drawn_kill(draw, bench.exporting))
    wrong = []
    if file.exists() and file.read_bytes() != bench.archive.read_bytes():
        wrong.append("half an archive bears the name of a whole one")
    file.unlink(missing_ok=True)
    again = call(partial(export, home, file), home.root.parent)
    if again.code or file.read_bytes() != bench.archive.read_bytes():
        wrong.append(f"the export afterwards is another one {again.said[-500:]}")
    wrong += differences(_state(home), bench.starts[WEEKS[1]].after)
    return ended.killed, wrong


def killed_import(bench: Bench, draw: random.Random) -> Outcome:
    """Kill an import: the programme is whole or not there, and the next import makes it."""
    home = Home(bench.copy(bench.done, "origin").root.parent / "moved")
    ended = call(
        partial(import_programme, bench.archive, home.root), home.root.parent, drawn_kill(draw, bench.importing)
    )
    wrong = []
    expected = {k: v for k, v in bench.starts[WEEKS[1]].after.items() if not k.startswith("table ")}
    if home.root.exists():
        wrong += differences(_state(home), expected)
        shutil.rmtree(home.root)
    again = call(partial(import_programme, bench.archive, home.root), home.root.parent)
    wrong += [again.said[-800:]] if again.code else differences(_state(home), expected)
    return ended.killed, wrong


def settled(bench: Bench, done: Ended, week: str, expected: State) -> list[str]:
    """What is wrong once a disturbed programme has gone to its end."""
    if done.code:
        return [f"afterwards: {done.said[-1500:]}"]
    found, states = done.value
    return differences(found, expected) + misdelivered(bench.post, states, week)


def to_the_end(home: Home, week: str) -> tuple[State, dict[tuple[str, str, str], str]]:
    """Make a week, verify it and see the doctor; returns what there is then."""
    return _to_the_end(home, week, programme.make)


def _to_the_end(
    home: Home, week: str, make: Callable[[Home, str], object]
) -> tuple[State, dict[tuple[str, str, str], str]]:
    make(home, week)
    programme.send(home, programme.later(week))
    proved(home, week)
    return state(home), sent(home)


def _messages(week: str) -> list[tuple[str, str, str]]:
    return [(f"{week}.1", report, address) for address, report in programme.FRIENDS.items()]


def _rounds(home: Home, a_week_passes: bool) -> dict[tuple[str, str, str], str]:
    if a_week_passes:
        programme.send(home, CLOSED["2026-W42"])
    for _ in range(2):
        programme.send(home, CLOSED["2026-W42"] if a_week_passes else programme.later(WEEKS[1]))
    return sent(home)


def _state(home: Home) -> State:
    found: State = call(partial(state, home), home.root).value
    return found


def clean(bench: Bench) -> None:
    """Remove the programmes of a case."""
    for folder in bench.folder.glob("case-*"):
        _gone(folder)


def _gone(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
