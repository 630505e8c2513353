"""What every case starts from: the programme before and after each week, undisturbed, with what that took."""

from __future__ import annotations

import random
import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from perf.faults import programme
from perf.faults.post import Post
from perf.faults.processes import Ended, Kill, call
from perf.faults.programme import WEEKS
from perf.faults.state import State, state
from turnup.programme import Home
from turnup.upkeep.archive.export import export
from turnup.upkeep.archive.imported import import_programme

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Start:
    """A week about to be made: the programme before, and what it is after."""

    week: str
    before: Path
    after: State
    took: Ended


class Bench:
    """The undisturbed runs, made once a campaign; each is what its kind of case is compared with."""

    def __init__(self, folder: Path) -> None:
        """Make both weeks, an export and an import, and send both weeks' reports."""
        self.folder = folder
        self.post = Post(folder / "post")
        home = Home(folder / "undisturbed" / "aurora")
        call(partial(programme.lay, home.root, self.post.port), home.root)
        self.starts = {}
        for number, week in enumerate(WEEKS):
            if number:
                programme.next_files(home)
            before = folder / f"before {week}"
            shutil.copytree(home.root, before, symlinks=True)
            took = self._whole(partial(_made, home, week), home.root)
            self.starts[week] = Start(week, before, took.value, took)
        self.done = folder / "done"
        shutil.copytree(home.root, self.done, symlinks=True)
        unsent = self.copy(self.done, "unsent")
        shutil.rmtree(unsent.store / "sent")
        self.unsent = unsent.root.rename(folder / "unsent")
        self.post.clear()
        self.sending = self._whole(partial(programme.send, self.copy(self.unsent), programme.later(WEEKS[1])), folder)
        self.archive = folder / "aurora.tar.gz"
        self.exporting = self._whole(partial(_export, home, self.archive), folder)
        self.importing = self._whole(partial(_import, self.archive, folder / "imported"), folder)

    @cached_property
    def job(self) -> Ended:
        """The first week, made through Dagster."""
        home = self.copy(self.starts[WEEKS[0]].before)
        return self._whole(partial(programme.through_dagster, home, WEEKS[0]), home.root)

    def close(self) -> None:
        """End the mail server."""
        self.post.close()

    def copy(self, template: Path, name: str = "aurora") -> Home:
        """A copy of a programme to disturb, in a folder of its own."""
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix="case-"))
        shutil.copytree(template, folder / name, symlinks=True)
        return Home(folder / name)

    @staticmethod
    def _whole(work: Callable[[], object], under: Path) -> Ended:
        ended = call(work, under)
        if ended.code:
            raise RuntimeError(f"undisturbed, and it failed:\n{ended.said}")
        return ended


def drawn_kill(draw: random.Random, usual: Ended, *, waits: bool = False) -> Kill:
    """A step, or a moment, of what the process does when nobody kills it."""
    if usual.steps and draw.random() < 0.5:
        return Kill("step", draw.randrange(usual.steps))
    if waits:
        return Kill("clock", draw.uniform(0.0, usual.clock))
    return Kill("computing", draw.uniform(0.0, usual.computing))


def _made(home: Home, week: str) -> State:
    programme.make(home, week)
    return state(home)


def _export(home: Home, file: Path) -> None:
    export(home, file)


def _import(archive: Path, target: Path) -> None:
    import_programme(archive, target)
