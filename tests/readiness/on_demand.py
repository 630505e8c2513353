"""A build that makes a table when a query names it, and those it is made of: a test pays for what it asks.

The steps are those of ``turnup.readiness.build``, run by it: nothing of it is repeated here. Its first run in a
process is whole and learns which step makes which table. Whoever changes a table or lists tables gets all of them
made before. With TURNUP_WHOLE_BUILDS in the environment every build is whole, as the campaigns of CI run them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import patch

import duckdb

from turnup.readiness import build as module
from turnup.warehouse.contents import named, written
from turnup.warehouse.steps import Steps, Watched

_LISTING = re.compile(r"information_schema|duckdb_|^\s*(?:DESCRIBE|SHOW|PRAGMA)")
_READING = re.compile(r"\s*[(\s]*(?:SELECT|FROM|WITH|VALUES)\b")
_learned: dict[str, tuple[set[str], set[str]]] = {}
"""Per step the tables and views that it makes, and those that its queries name."""

Make = Callable[[Any], object]


def build_on_demand(con: duckdb.DuckDBPyConnection, *arguments: Any) -> Any:
    """``turnup.readiness.build.build``; returns the connection to ask, which is ``con`` where all was made."""
    if os.environ.get("TURNUP_WHOLE_BUILDS"):
        module.build(con, *arguments)
        return con
    if not _learned:
        with patch.object(module, "Steps", LearningSteps):
            module.build(con, *arguments)
        return con
    asked = OnDemand(con)
    with patch.object(module, "Steps", lambda _: LaterSteps(asked)):
        module.build(con, *arguments)
    asked.depth = 0
    return asked


class LearningSteps(Steps):
    """Steps that are made, and looked at."""

    def run(self, name: str, asked: Sequence[object] | None, make: Make) -> bool:
        watched = Watched(self._con)
        make(watched)
        made, read = (set().union(*map(of, watched.queries)) for of in (written, named))
        _learned[name] = made, read - made
        return True


class LaterSteps(Steps):
    """Steps that wait until what they make is asked for; settings are made at once, until the first model."""

    def __init__(self, asked: OnDemand) -> None:
        self.asked, self.begun = asked, False

    def run(self, name: str, asked: Sequence[object] | None, make: Make) -> bool:
        made, read = _learned[name]
        self.begun = self.begun or name.startswith("core.")
        if not self.begun:
            make(self.asked.con)
        elif made:
            self.asked.makers |= dict.fromkeys(made, lambda: make(self.asked))
        else:
            self.asked.checks[name] = (read, lambda: make(self.asked))
        return not self.begun

    def finish(self, *schemas: str) -> None:
        pass


class OnDemand:
    """A connection that makes what a query names."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con, self.depth = con, 1
        self.makers: dict[str, Callable[[], object]] = {}
        self.checks: dict[str, tuple[set[str], Callable[[], object]]] = {}
        con.execute("SET python_scan_all_frames = true")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.con, name)

    def execute(self, query: str, *values: Any) -> Any:
        self._prepare(query)
        return self.con.execute(query, *values)

    def sql(self, query: str, **values: Any) -> Any:
        self._prepare(query)
        return self.con.sql(query, **values)

    def _prepare(self, query: str) -> None:
        whole = self.depth == 0 and (_LISTING.search(query) or not _READING.match(query))
        self._make([*self.makers] if whole else sorted(named(query)))
        if self.depth == 0:
            due = [name for name, (read, _) in self.checks.items() if not read & self.makers.keys()]
            for check in [self.checks.pop(name)[1] for name in due]:
                check()

    def _make(self, tables: Sequence[str]) -> None:
        for table in tables:
            maker = self.makers.get(table)
            if maker is not None:
                self.makers = {name: other for name, other in self.makers.items() if other is not maker}
                self.depth += 1
                try:
                    maker()
                finally:
                    self.depth -= 1
