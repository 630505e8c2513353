"""Typed rows in a DuckLake: a catalog that several machines write at once, and Parquet files in a folder they share.

Rows are only ever appended, each with the batch (the load id) and the attempt that wrote it, and a batch's rows and
its record are one transaction. The catalog lets two transactions add the same batch; of its attempts the first by id
counts, so a batch that was written twice is read once. Belongs here: writing and finding rows of a lake. Does not:
parsing, or which deliveries are in force.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import secrets
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb

from turnup.warehouse.batches import Batch, batch_id, holders
from turnup.warehouse.connection import connect, identifier, literal
from turnup.warehouse.parts import one_thread
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from turnup.warehouse.lake_settings import Lake

_ATTEMPTS = 40
_LONGEST_WAIT = 1.0  # seconds
_BATCHES = "lake.parts.batches"
_COLUMNS = "batch VARCHAR, load VARCHAR, dataset VARCHAR, ingests VARCHAR[], parts MAP(VARCHAR, VARCHAR)"
_COUNTED = f"SELECT dataset, batch, min(load) AS load FROM {_BATCHES} GROUP BY ALL"
T = TypeVar("T")
_RACE = ("conflict", "serializ", "deadlock", "duplicate key", "database is locked")


class LakeStore:
    """The rows of one programme in a lake that exists already."""

    def __init__(self, lake: Lake) -> None:
        """Remember where the lake is; nothing is opened until something is read or written."""
        self._lake = lake

    @property
    def takes_several(self) -> bool:
        """A catalog in a file is open in one connection only."""
        return self._lake.catalog.startswith("postgres:")

    def attach(self, con: duckdb.DuckDBPyConnection) -> None:
        """Attach the lake as ``lake``, unless it is.

        Raises:
            ConfigurationError: there is no lake, it cannot be reached, or its extensions are not installed.
        """
        if con.sql("SELECT 1 FROM duckdb_databases() WHERE database_name = 'lake'").fetchall():
            return
        try:
            _attach(con, self._lake, create=False)
        except duckdb.Error as error:
            message = f"lake {self._lake.catalog}: cannot be opened ({error}); turnup lake makes it, once"
            raise ConfigurationError(message) from error

    def known(self, datasets: Iterable[str]) -> dict[str, str]:
        """Map every ingest of the datasets to the batch that holds it; of two racing batches the first by id counts."""
        with connect() as con:
            self.attach(con)
            return holders(_batches(con, datasets))

    def batches(self, con: duckdb.DuckDBPyConnection, datasets: Iterable[str]) -> list[Batch]:
        """Every committed batch of the datasets, by dataset and id, in a connection with the lake."""
        return _batches(con, datasets)

    def rows(self, batch: Batch, table: str) -> str:
        """SQL of one table's rows of a batch as they were written, without the columns that the lake adds."""
        its = f"_batch = {literal(batch.batch_id)}"
        load = f"SELECT min(load) FROM {_BATCHES} WHERE batch = {literal(batch.batch_id)}"
        place = f"lake.parts.{identifier(batch.parts[table])}"
        return f"SELECT * EXCLUDE (_batch, _load, _place) FROM {place} WHERE {its} AND _load = ({load}) ORDER BY _place"

    def scan(self, con: duckdb.DuckDBPyConnection, table: str, datasets: Iterable[str]) -> str | None:
        """SQL that reads every committed row of a table in a connection with the lake; None when there is none."""
        wanted = sorted(datasets)
        # Older versions of turnup may have read into other columns, which lie in tables of their own.
        places = list(dict.fromkeys(b.parts[table] for b in _batches(con, wanted) if table in b.parts))
        if not places:
            return None
        rows = " UNION ALL BY NAME ".join(f"SELECT * FROM lake.parts.{identifier(place)}" for place in places)
        return f"""(SELECT p.* EXCLUDE (_load, _place) FROM ({rows}) AS p
            JOIN ({_COUNTED}) AS c ON c.batch = p._batch AND c.load = p._load
            WHERE c.dataset IN ({", ".join(map(literal, wanted))}) ORDER BY c.dataset, p._batch, p._place)"""

    def write(
        self, con: duckdb.DuckDBPyConnection, dataset: str, ingests: Iterable[str], tables: Mapping[str, str]
    ) -> Batch:
        """Append one batch in one transaction, tried again while others change the catalog at the same moment."""
        covered = tuple(sorted(ingests))
        names = {table: _place(con, table, query) for table, query in sorted(tables.items())}
        batch = Batch(batch_id(dataset, covered), dataset, covered, names)
        self.attach(con)

        def append() -> Batch:
            with one_thread(con), _transaction(con):
                _append(con, batch, tables)
            return batch

        return until_alone(append)


def until_alone(change: Callable[[], T]) -> T:
    """Change the catalog, tried again while others change it at the same moment."""
    for attempt in range(_ATTEMPTS):
        try:
            return change()
        except duckdb.Error as error:
            if attempt + 1 == _ATTEMPTS or not any(word in str(error).lower() for word in _RACE):
                raise
            # How long differs between writers, or they would meet again; no result depends on it.
            time.sleep(random.SystemRandom().uniform(0, min(_LONGEST_WAIT, 0.02 * 2**attempt)))
    raise AssertionError("the last attempt returns or raises")


def create_lake(lake: Lake) -> None:
    """Make the lake where there is none; once, before any worker opens it, for two that make it at once can fail.

    Raises:
        ConfigurationError: the catalog cannot be reached, or its extensions are not installed.
    """
    with connect() as con:
        try:
            _attach(con, lake, create=True)
            con.execute(f"CREATE SCHEMA IF NOT EXISTS lake.parts; CREATE TABLE IF NOT EXISTS {_BATCHES} ({_COLUMNS})")
        except duckdb.Error as error:
            raise ConfigurationError(f"lake {lake.catalog}: cannot be made ({error})") from error


def _attach(con: duckdb.DuckDBPyConnection, lake: Lake, *, create: bool) -> None:
    _load(con, "ducklake")
    if lake.catalog.startswith("postgres:"):
        _load(con, "postgres_scanner")
    options = f"DATA_PATH {literal(lake.data)}, DATA_INLINING_ROW_LIMIT 0, CREATE_IF_NOT_EXISTS {str(create).lower()}"
    con.execute(f"ATTACH {literal('ducklake:' + lake.catalog)} AS lake ({options})")


def _load(con: duckdb.DuckDBPyConnection, extension: str) -> None:
    """Load an extension from its package, which holds it for exactly one version of DuckDB: nothing is fetched."""
    found = find_spec(f"duckdb_extension_{extension}")
    file = Path(*(found.submodule_search_locations or ()) if found else "") / (
        f"extensions/v{duckdb.__version__}/{extension}.duckdb_extension"
    )
    if not file.exists():
        raise ConfigurationError(f"a lake needs DuckDB's extension {extension}; install turnup[cluster]")
    con.execute(f"LOAD {literal(str(file))}")


@contextlib.contextmanager
def _transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    con.execute("BEGIN")
    try:
        yield
        con.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(duckdb.Error):  # a commit that failed has ended the transaction
            con.execute("ROLLBACK")
        raise


def _append(con: duckdb.DuckDBPyConnection, batch: Batch, tables: Mapping[str, str]) -> None:
    if con.sql(f"SELECT 1 FROM {_BATCHES} WHERE batch = $1", params=[batch.batch_id]).fetchall():
        return
    load = secrets.token_hex(8)
    for table, query in sorted(tables.items()):
        rows = f"SELECT *, {literal(batch.batch_id)} AS _batch, {literal(load)} AS _load"
        rows = f"{rows}, row_number() OVER () AS _place FROM ({query})"
        target = f"lake.parts.{identifier(batch.parts[table])}"
        con.execute(f"CREATE TABLE IF NOT EXISTS {target} AS {rows} LIMIT 0")
        con.execute(f"INSERT INTO {target} {rows}")
    con.execute(
        f"INSERT INTO {_BATCHES} VALUES ($1, $2, $3, $4, MAP($5::VARCHAR[], $6::VARCHAR[]))",
        [batch.batch_id, load, batch.dataset, list(batch.ingests), [*batch.parts], [*batch.parts.values()]],
    )


def _batches(con: duckdb.DuckDBPyConnection, datasets: Iterable[str]) -> list[Batch]:
    query = f"SELECT batch, dataset, ingests, parts FROM {_BATCHES} WHERE dataset IN (SELECT unnest($1::VARCHAR[]))"
    found = con.sql(f"SELECT DISTINCT * FROM ({query}) ORDER BY dataset, batch", params=[sorted(datasets)]).fetchall()
    return [Batch(batch, dataset, tuple(ingests), dict(parts)) for batch, dataset, ingests, parts in found]


def _place(con: duckdb.DuckDBPyConnection, table: str, query: str) -> str:
    """The lake's table for the columns that a query yields: another version's columns are another table."""
    columns = [(name, str(kind)) for name, kind, *_ in con.execute(f"DESCRIBE {query}").fetchall()]
    return f"{table}_{hashlib.sha256(repr(columns).encode()).hexdigest()[:8]}"
