"""Runs the SQL models: one file a table, in the order in which they need each other, each key checked.

Belongs here: reading and running model files. Does not: any model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from turnup.warehouse.steps import Steps

_HEADER = re.compile(r"^--\s*(table|grain|key):\s*(.+?)\s*$", re.MULTILINE)
_COMMENT = re.compile(r"--[^\n]*")
_REFERENCE = re.compile(r"\b(meta|core|acceptance|mart)\.([a-z_0-9]+)\b")


class ModelError(Exception):
    """A model file that cannot be run, or a table that breaks its own key."""


@dataclass(frozen=True)
class Model:
    """A SQL model: the table it makes, one line on its grain, its key columns and its SELECT."""

    table: str
    grain: str
    key: tuple[str, ...]
    sql: str
    needs: frozenset[str]


@dataclass(frozen=True)
class ModelRun:
    """A table that was made, and how many rows it has."""

    table: str
    rows: int


def read_model(file: Path) -> Model:
    """Read one model file.

    Raises:
        ModelError: a header line (table, grain, key) is missing.
    """
    text = file.read_text(encoding="utf-8")
    header = dict(_HEADER.findall(text))
    missing = [name for name in ("table", "grain", "key") if name not in header]
    if missing:
        raise ModelError(f"{file.name}: the header lacks '-- {missing[0]}: ...'")
    body = _COMMENT.sub("", text).strip().rstrip(";")
    needs = {f"{schema}.{name}" for schema, name in _REFERENCE.findall(body)} - {header["table"]}
    key = tuple(column.strip() for column in header["key"].split(","))
    return Model(header["table"], header["grain"], key, body, frozenset(needs))


def in_order(models: list[Model]) -> list[Model]:
    """Sort models so that each comes after those it reads; ties by name.

    Raises:
        ModelError: the models need each other in a loop, which is spelled out.
    """
    by_table = {model.table: model for model in models}
    sorter = TopologicalSorter({model.table: sorted(model.needs & by_table.keys()) for model in models})
    try:
        sorter.prepare()
    except CycleError as error:
        raise ModelError(f"models need each other in a loop: {' -> '.join(error.args[1])}") from error
    ordered: list[Model] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        ordered += [by_table[table] for table in ready]
        sorter.done(*ready)
    return ordered


def models_of(*folders: Path) -> list[Model]:
    """The models of some folders, in the order in which they need each other.

    Raises:
        ModelError: a file is faulty, or they need each other in a loop.
    """
    return in_order([read_model(file) for file in sorted(file for folder in folders for file in folder.glob("*.sql"))])


def run_models(con: duckdb.DuckDBPyConnection, *folders: Path) -> list[ModelRun]:
    """Make every table of the model files of some folders and check each one's key.

    Raises:
        ModelError: a file is faulty, its SQL fails, or its key is repeated or null.
    """
    return [make(con, model) for model in models_of(*folders)]


def make_models(steps: Steps, *folders: Path) -> None:
    """Make every table of the model files of some folders that does not stand, each as a step of its own.

    Raises:
        ModelError: a file is faulty, its SQL fails, or its key is repeated or null.
    """
    for model in models_of(*folders):
        steps.run(model.table, (model.sql, *model.key), partial(make, model=model))


def make(con: duckdb.DuckDBPyConnection, model: Model) -> ModelRun:
    """Make the table of a model and check its key.

    Raises:
        ModelError: its SQL fails, or its key is repeated or null.
    """
    con.execute(f"CREATE SCHEMA IF NOT EXISTS {model.table.split('.')[0]}")
    try:
        con.execute(f"CREATE OR REPLACE TABLE {model.table} AS {model.sql}")
    except Exception as error:
        raise ModelError(f"model {model.table}: {error}") from error
    return ModelRun(model.table, check_key(con, model))


def check_key(con: duckdb.DuckDBPyConnection, model: Model) -> int:
    """Return the row count of a model's table, or raise ModelError when its key is repeated or null."""
    columns = ", ".join(model.key)
    any_null = " OR ".join(f"{column} IS NULL" for column in model.key)
    query = f"SELECT count(*), count(*) FILTER ({any_null}), count(DISTINCT ({columns})) FROM {model.table}"
    rows, nulls, distinct = con.sql(query).fetchall()[0]
    if nulls:
        raise ModelError(f"model {model.table}: {nulls} of {rows} rows have no value in the key ({columns})")
    if distinct != rows:
        raise ModelError(
            f"model {model.table}: {rows} rows but {distinct} distinct keys ({columns}); grain: {model.grain}"
        )
    return int(rows)
