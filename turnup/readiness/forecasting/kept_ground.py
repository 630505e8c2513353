"""The ground of a week's forecast as hashes: while they are as they were, the forecast stands.

Belongs here: reading the ground once for two steps, and its hashes. Does not: what is read (``build``), nor what
follows from equal hashes (``turnup.warehouse.steps``).

The tables that the ground is read from hold more than the forecast asks for; a price or a count that changes in them
moves no date. The first step reads them and leaves hashes; the second asks for these alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import polars as pl

from turnup.readiness.forecasting.build import ground_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

    from turnup.readiness.forecasting.build import Ground
    from turnup.readiness.forecasting.kept_settings import Kept

_COLUMNS = {"part": pl.String, "hash": pl.String}
_SCALARS = (str, int, float, bool, Decimal, date, time, timedelta, type(None))


class KeptGround:
    """The ground of one week's forecast, for the step that keeps its hashes and for the one that stands on it."""

    def __init__(self, con: duckdb.DuckDBPyConnection, kept: Kept) -> None:
        """Take the database in which the models before the forecast will have run."""
        self._con, self._kept = con, kept
        self._ground: Ground | None = None

    def keep(self, con: duckdb.DuckDBPyConnection) -> None:
        """Read the ground and create ``core.forecast_ground``, one row a kind of fact."""
        self._ground = ground_of(con, self._kept)
        rows = [{"part": name, "hash": hash_of(part)} for name, part in _parts(self._ground)]
        con.register("ground_frame", pl.DataFrame(rows, schema=_COLUMNS))
        con.execute("CREATE OR REPLACE TABLE core.forecast_ground AS SELECT * FROM ground_frame")
        con.unregister("ground_frame")

    def asked_by(self, con: duckdb.DuckDBPyConnection) -> Ground:
        """The ground, for a step that stands while its hashes do."""
        con.sql("SELECT part, hash FROM core.forecast_ground").fetchall()
        return self._ground or ground_of(self._con, self._kept)


def _parts(ground: Ground) -> Iterator[tuple[str, object]]:
    yield from ((one.name, getattr(ground.facts, one.name)) for one in fields(ground.facts))
    yield from (("targets", ground.targets), ("projects", ground.projects), ("points", ground.points))
    yield "storage", ground.storage


def hash_of(value: object) -> str:
    """Hash of records, tables and what they hold.

    Raises:
        TypeError: it holds something of which it is not known when two are equal.
    """
    digest = hashlib.sha256()
    for text in _texts(value):
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:24]


def _texts(value: object) -> Iterator[str]:
    """Everything in a value, piece by piece."""
    if isinstance(value, _SCALARS):
        yield repr(value)
    elif isinstance(value, pl.DataFrame):
        yield repr(value.schema)
        yield from map(repr, value.iter_rows())
    elif isinstance(value, Mapping):
        yield f"{len(value)} by key"
        yield from (text for key in sorted(value) for part in (key, value[key]) for text in _texts(part))
    elif isinstance(value, Sequence):
        yield f"{len(value)} in order"
        yield from (text for part in value for text in _texts(part))
    elif is_dataclass(value):
        yield type(value).__name__
        yield from (text for one in fields(value) for text in _texts(getattr(value, one.name)))
    else:
        raise TypeError(f"{type(value).__name__}: it is not known when two of these are equal")
