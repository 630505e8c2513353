"""A build that makes a table when a query names it, and those it is made of: a test pays for what it asks.

The steps are those of ``turnup.readiness.build``, run by it: nothing of it is repeated here. Its first run in a
process is whole and learns which step makes which table. Whoever changes a table or lists tables gets all of them
made before. With TURNUP_WHOLE_BUILDS in the environment every build is whole, as the campaigns of CI run them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import duckdb

from turnup.network import tables as network
from turnup.readiness import build as module
from turnup.warehouse.models import Model, check_key, in_order, read_model

_NAMED = re.compile(r"\b(?:core|mart|acceptance|meta|evidence)\.[a-z_0-9]+\b")
_STEPS = [(module, name) for name in vars(module) if re.match("(write|create|check)_", name)]
_LISTING = re.compile(r"information_schema|duckdb_|^\s*(?:DESCRIBE|SHOW|PRAGMA)")
_READING = re.compile(r"\s*[(\s]*(?:SELECT|FROM|WITH|VALUES)\b")
_learned: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
"""Per step the tables and views that it makes, and those that its queries name."""


def build_on_demand(con: duckdb.DuckDBPyConnection, *arguments: Any) -> Any:
    """``turnup.readiness.build.build``; returns the connection to ask, which is ``con`` where all was made."""
    if os.environ.get("TURNUP_WHOLE_BUILDS"):
        module.build(con, *arguments)
        return con
    if not _learned:
        _learn(con, *arguments)
        return con
    asked = OnDemand(con)
    with _steps_run_by(asked.later), patch.object(module, "run_models", asked.models_later):
        module.build(asked, *arguments)
    asked.depth = 0
    return asked


class OnDemand:
    """A connection that makes what a query names."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con, self.depth, self.begun = con, 1, False
        self.makers: dict[str, Callable[[], None]] = {}
        self.checks: dict[str, tuple[frozenset[str], Callable[[], None]]] = {}
        con.execute("SET python_scan_all_frames = true")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.con, name)

    def execute(self, query: str, *values: Any) -> Any:
        self._prepare(query)
        return self.con.execute(query, *values)

    def sql(self, query: str, **values: Any) -> Any:
        self._prepare(query)
        return self.con.sql(query, **values)

    def later(self, name: str, step: Callable[..., None], *arguments: Any) -> None:
        """Settings are written at once; of what follows the first models, each step waits until it is asked for."""
        made, read = _learned[name]
        if not self.begun:
            step(self.con, *arguments)
        elif name.startswith("check_"):
            self.checks[name] = (read, lambda: step(self, *arguments))
        else:
            self.makers |= dict.fromkeys(made, lambda: step(self, *arguments))

    def models_later(self, _: Any, *folders: Any) -> None:
        """Take in the models of some folders."""
        self.begun = True
        for model in _models(folders):
            self.makers[model.table] = lambda model=model: self._model(model)

    def _model(self, model: Model) -> None:
        self._make(model.needs)
        schema = model.table.split(".")[0]
        self.con.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        self.con.execute(f"CREATE OR REPLACE TABLE {model.table} AS {model.sql}")
        check_key(self.con, model)

    def _prepare(self, query: str) -> None:
        whole = self.depth == 0 and (_LISTING.search(query) or not _READING.match(query))
        self._make([*self.makers] if whole else _NAMED.findall(query))
        if self.depth == 0:
            due = [name for name, (read, _) in self.checks.items() if not read & self.makers.keys()]
            for check in [self.checks.pop(name)[1] for name in due]:
                check()

    def _make(self, tables: Any) -> None:
        for table in tables:
            maker = self.makers.get(table)
            if maker is not None:
                self.makers = {name: other for name, other in self.makers.items() if other is not maker}
                self.depth += 1
                try:
                    maker()
                finally:
                    self.depth -= 1


@cache
def _models(folders: tuple[Any, ...]) -> list[Model]:
    return in_order([read_model(file) for folder in folders for file in sorted(folder.glob("*.sql"))])


def _learn(con: duckdb.DuckDBPyConnection, *arguments: Any) -> None:
    found: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def watched(name: str, step: Callable[..., None], watching: _Watching, *values: Any) -> None:
        before, watching.named = _tables(con), set()
        step(watching, *values)
        found[name] = (_tables(con) - before, frozenset(watching.named))

    with _steps_run_by(watched):
        module.build(_Watching(con), *arguments)
    _learned.update(found)


class _Watching:
    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con, self.named = con, set[str]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.con, name)

    def sql(self, query: str, **values: Any) -> Any:
        self.named |= {*_NAMED.findall(query)}
        return self.con.sql(query, **values)


def _tables(con: duckdb.DuckDBPyConnection) -> frozenset[str]:
    query = "SELECT table_schema || '.' || table_name FROM information_schema.tables"
    return frozenset(name for (name,) in con.sql(query).fetchall())


@contextmanager
def _steps_run_by(runner: Callable[..., None]) -> Iterator[None]:
    with ExitStack() as stack:
        for place, name in [*_STEPS, (network, "write_network")]:
            step = getattr(place, name)

            def run(con: Any, *arguments: Any, name: str = name, step: Callable[..., None] = step) -> None:
                values = arguments if runner.__name__ == "later" else (con, *arguments)
                runner(name, step, *values)

            stack.enter_context(patch.object(place, name, run))
        yield
