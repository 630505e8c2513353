"""The steps of a build: one whose question and inputs are as when it was last answered is not made again.

A candidate may begin as a copy of a published file, which tells in ``meta.made`` of every step what it was asked, what
the tables that it read held, and what those that it wrote hold. A step is made again unless all of it is so still; a
table made again with the same rows stops the wave there. What is read is noted as it is read, never declared.
Belongs here: running, recording and skipping steps. Does not: any step's own work.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

import duckdb
import polars as pl

from turnup.warehouse.connection import connect, identifier, table_exists
from turnup.warehouse.contents import Contents, Holdings, written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Make = Callable[[duckdb.DuckDBPyConnection], object]

_COLUMNS = {"step": pl.String, "asked": pl.String, "reads": pl.String, "writes": pl.String}
_OTHER = re.compile(r"\bVIEW\b|\bDROP\b", re.IGNORECASE)
RECORDS = frozenset({"meta.made", "meta.maker", "meta.checked"})
"""Tables that say how a file was come by, for the next build, and nothing of the week that it holds."""
_OWN = RECORDS | {"meta.kept", "meta.expectations"}


@dataclass(frozen=True)
class Step:
    """A step as it was made: what it was asked, what it read and what it wrote, each with the contents of then."""

    asked: str
    reads: dict[str, str]
    writes: dict[str, Contents]


class Watched:
    """A connection that notes which queries a step runs; it offers what steps use of one."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        """Watch a connection."""
        self._con = con
        self.queries: list[str] = []

    def sql(self, query: str, **given: Any) -> duckdb.DuckDBPyRelation:
        """Run or prepare a query."""
        self.queries.append(query)
        return self._con.sql(query, **given)

    def execute(self, query: str, parameters: Any = None) -> duckdb.DuckDBPyConnection:
        """Run a statement."""
        self.queries.append(query)
        return self._con.execute(query, parameters)

    def register(self, name: str, frame: object) -> None:
        """Let queries read a frame by a name."""
        self._con.register(name, frame)

    def unregister(self, name: str) -> None:
        """Take the name back."""
        self._con.unregister(name)


class Steps:
    """The steps of one build in one candidate database.

    In a database that was not begun by ``begin`` every step is made and nothing is recorded.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        """Go on with what the database says of its steps."""
        self._con = con
        self._records = table_exists(con, "meta", "made")
        self._kept = _load(con, "meta.kept")
        self._made = _load(con, "meta.made")
        self._holdings = Holdings(con)
        self._writers: dict[str, str] = {}
        for name, step in self._made.items():
            self._settle(name, step)

    @property
    def holdings(self) -> Holdings:
        """What the tables hold."""
        return self._holdings

    def run(self, name: str, asked: Sequence[object] | None, make: Make) -> bool:
        """Make a step unless it stands; says whether it was made.

        Args:
            name: of the step, unique in a build.
            asked: everything but tables that the result depends on, as text; None when it is always to be made.
            make: makes it with the connection that it is given and no other.
        """
        if not self._records:
            make(self._con)
            return True
        question = "" if asked is None else hashlib.sha256("\0".join(map(str, asked)).encode()).hexdigest()[:24]
        kept = self._kept.get(name)
        if kept is not None and asked is not None and kept.asked == question and self._stands(kept):
            self._settle(name, kept)
            return False
        watched = Watched(self._con)
        make(cast("duckdb.DuckDBPyConnection", watched))
        self._record(name, question, watched.queries)
        return True

    def _stands(self, kept: Step) -> bool:
        return all(self._holdings.told(read) == contents for read, contents in kept.reads.items())

    def _record(self, name: str, question: str, queries: Sequence[str]) -> None:
        targets = set[str]().union(*map(written, queries))
        self._holdings.forget(targets, only_tables=not any(map(_OTHER.search, queries)))
        reads = set[str]().union(*(self._holdings.reads(query, *targets) for query in queries))
        contents = {target: self._holdings.of(target) for target in sorted(targets)}
        writes = {target: found or Contents("", "") for target, found in contents.items()}
        told = {read: self._holdings.told(read) for read in sorted(reads)}
        self._settle(name, Step(question, told, writes))

    def _settle(self, name: str, step: Step) -> None:
        self._made[name] = step
        for table, contents in step.writes.items():
            if self._writers.setdefault(table, name) != name:
                raise ValueError(f"step {name}: {table} is written by step {self._writers[table]}")
            if contents.whole:
                self._holdings.know(table, contents)

    def _save(self) -> None:
        rows = [
            {"step": name, "asked": step.asked, "reads": json.dumps(step.reads, sort_keys=True),
             "writes": json.dumps({table: asdict(found) for table, found in step.writes.items()}, sort_keys=True)}
            for name, step in sorted(self._made.items())
        ]  # fmt: skip
        self._con.register("steps_made", pl.DataFrame(rows, schema=_COLUMNS))
        self._con.execute("CREATE OR REPLACE TABLE meta.made AS SELECT * FROM steps_made")
        self._con.unregister("steps_made")

    def finish(self, *schemas: str) -> None:
        """Save, and drop tables of steps that are no more, of these schemas; without any, the build is over."""
        if not self._records:
            return
        self._save()
        query = """SELECT schema_name, table_name, 'TABLE' FROM duckdb_tables() WHERE NOT temporary
            UNION ALL SELECT schema_name, view_name, 'VIEW' FROM duckdb_views() WHERE NOT internal AND NOT temporary"""
        for schema, table, kind in self._con.sql(query).fetchall():
            name = f"{schema}.{table}"
            if name not in self._writers and name not in _OWN and (not schemas or schema in schemas):
                self._con.execute(f"DROP {kind} {identifier(schema)}.{identifier(table)}")
        self._holdings.forget((), only_tables=False)
        if not schemas:
            self._con.execute("DROP TABLE IF EXISTS meta.kept")


def begin(con: duckdb.DuckDBPyConnection, maker: tuple[str, str]) -> None:
    """Let a candidate record its steps: what it holds of an earlier build is kept until a step is made again.

    Args:
        con: the candidate, empty or a copy of what the same maker made.
        maker: versions of the code and of the database.
    """
    con.execute("CREATE SCHEMA IF NOT EXISTS meta; DROP TABLE IF EXISTS meta.expectations")
    con.execute("CREATE OR REPLACE TABLE meta.maker AS SELECT $1::VARCHAR AS code, $2::VARCHAR AS maker", maker)
    if not table_exists(con, "meta", "made"):
        con.register("no_steps", pl.DataFrame(schema=_COLUMNS))
        con.execute("CREATE TABLE meta.made AS SELECT * FROM no_steps")
        con.unregister("no_steps")
    con.execute("CREATE OR REPLACE TABLE meta.kept AS FROM meta.made; DELETE FROM meta.made")


def is_finished(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether all steps of a candidate were made."""
    return table_exists(con, "meta", "made") and not table_exists(con, "meta", "kept")


def made_in(database: Path) -> dict[str, Contents]:
    """What the tables of a closed database hold, as its steps recorded it; empty where no record can be read."""
    with contextlib.suppress(duckdb.Error), connect(database, read_only=True) as con:
        return {table: found for step in _load(con, "meta.made").values() for table, found in step.writes.items()}
    return {}


def _load(con: duckdb.DuckDBPyConnection, table: str) -> dict[str, Step]:
    if not table_exists(con, *table.split(".")):
        return {}
    return {
        name: Step(
            asked, json.loads(reads), {each: Contents(**found) for each, found in json.loads(writes).items()}
        )
        for name, asked, reads, writes in con.sql(f"SELECT step, asked, reads, writes FROM {table}").fetchall()
    }  # fmt: skip
